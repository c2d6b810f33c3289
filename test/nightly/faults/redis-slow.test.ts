import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { limitIsExact } from '../../support/admitted.js';
import { eventually } from '../../support/eventually.js';
import { anyClient } from '../../support/http-client.js';
import { suiteLifetime } from '../../support/lifetime.js';
import { startLoad, tally } from '../../support/load.js';
import { placePath } from '../../support/places.js';
import { becomesReady, hasRecovered, readiness } from '../../support/readiness.js';
import { recordsFromNow } from '../../support/shared-stack.js';
import { startBehindRelay } from '../../support/stack-behind-relay.js';

const PLACES = 5;
/** Each replica alone would apply it in full, so it is exact only while they count in Redis. */
const LIMIT = 30;
const ENV = { TRUST_PROXY: '1', RATE_LIMIT_PER_IP: String(LIMIT), RATE_LIMIT_TOTAL: '100000' };

describe('Redis replies late', () => {
  const lifetime = suiteLifetime();
  let stack: Awaited<ReturnType<typeof startBehindRelay>>;
  before(async () => {
    stack = await startBehindRelay(lifetime, { replicas: 2, env: ENV, places: PLACES });
  });
  const next = (count: number) => stack.url(placePath(count % PLACES));

  it('by 100 ms all the time: it is used, and the limits are exact', async (t) => {
    const { relay } = stack;
    relay.delayBy(100);
    const load = startLoad(t, { clients: 8, next, headers: anyClient });
    await limitIsExact(LIMIT, next);
    assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);
    relay.delayBy(0);
  });

  it('by 400 ms all the time: it is reported once, no client is rejected, and afterwards the limits are exact', async (t) => {
    const { replicas, relay } = stack;
    // On a busy machine, a fault may have been reported before.
    await eventually(() => replicas.every(hasRecovered), 'Redis');
    const records = recordsFromNow(replicas);
    relay.delayBy(400);
    const load = startLoad(t, { clients: 4, next, headers: (n) => anyClient(n + 50_000) });
    for (const { reason } of await records.each('redis_unavailable')) {
      assert.equal(reason, 'no_reply');
    }
    for (const replica of replicas) assert.equal(await readiness(replica), 503);
    const before = load.replies.length;
    await eventually(() => load.replies.length >= before + 500, 'responses without Redis');
    assert.equal(records.of('redis_unavailable').length, replicas.length);
    assert.deepEqual(records.of('redis_recovered'), []);
    relay.delayBy(0);
    await records.each('redis_recovered');
    for (const replica of replicas) await becomesReady(replica);
    await limitIsExact(LIMIT, next);
    assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);
  });
});

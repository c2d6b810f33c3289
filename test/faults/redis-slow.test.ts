import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.js';
import { anyClient } from '../support/http-client.js';
import { suiteLifetime } from '../support/lifetime.js';
import { attempt, startLoad, tally } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { recordsFromNow } from '../support/shared-stack.js';
import { startBehindRelay } from '../support/stack-behind-relay.js';

const PLACES = 5;
const LIMIT = 30;
const ENV = { TRUST_PROXY: '1', RATE_LIMIT_PER_IP: String(LIMIT), RATE_LIMIT_TOTAL: '100000' };

describe('Redis replies late', () => {
  const lifetime = suiteLifetime();
  let stack: Awaited<ReturnType<typeof startBehindRelay>>;
  before(async () => {
    stack = await startBehindRelay(lifetime, { replicas: 1, env: ENV, places: PLACES });
  });
  const next = (count: number) => stack.url(placePath(count % PLACES));

  it('by 100 ms all the time: it is used, and the limits are exact', async (t) => {
    const { replicas, relay } = stack;
    const records = recordsFromNow(replicas);
    relay.delayBy(100);
    const load = startLoad(t, { clients: 8, next, headers: anyClient });
    const admittedOf = async (address: string) => {
      let admitted = 0;
      for (let n = 0; n < LIMIT + 10; n += 1) {
        const { status } = await attempt(next(n), { headers: { 'X-Forwarded-For': address } });
        if (status === 200) admitted += 1;
      }
      return admitted;
    };
    // On a busy machine, a reply may take more than 250 ms. Then the replica counts alone for a moment.
    let client = 0;
    const isExact = async () => (await admittedOf(`192.0.2.${(client += 1)}`)) === LIMIT;
    await eventually(isExact, 'a client whose limit is exact', 60_000);
    assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);
    relay.delayBy(0);
    assert.deepEqual([...records.of('redis_unavailable'), ...records.of('redis_recovered')], []);
  });

  it('by 400 ms all the time: it is reported once, and requests are answered', async (t) => {
    const { replicas, relay } = stack;
    const [replica] = replicas;
    const records = recordsFromNow(replicas);
    relay.delayBy(400);
    const load = startLoad(t, { clients: 4, next, headers: (n) => anyClient(n + 50_000) });
    const [unavailable] = await records.each('redis_unavailable');
    assert.equal(unavailable?.['reason'], 'no_reply');
    assert.equal(await readiness(replica!), 503);
    const before = load.replies.length;
    await eventually(() => load.replies.length >= before + 500, 'responses without Redis');
    assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);
    assert.equal(records.of('redis_unavailable').length, 1);
    assert.deepEqual(records.of('redis_recovered'), []);
    relay.delayBy(0);
    await records.each('redis_recovered');
    await becomesReady(replica!);
  });
});

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { suiteLifetime } from '../support/lifetime.js';
import { attempt, startLoad, tally } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { administer } from '../support/redis-cluster.js';
import type { RedisServer } from '../support/redis-server.js';
import type { Relay } from '../support/relay.js';
import type { Service } from '../support/service.js';
import { recordsFromNow } from '../support/shared-stack.js';
import { anyClient, startBehindRelay, watchReadiness } from '../support/slow-redis.js';

const PLACES = 5;
const LIMIT = 30;
const ENV = { TRUST_PROXY: '1', RATE_LIMIT_PER_IP: String(LIMIT), RATE_LIMIT_TOTAL: '100000' };

/** Commands that Redis has run for its clients. */
async function commands(redis: RedisServer): Promise<number> {
  const info = await administer(redis, (client) => client.info('stats'));
  return Number(/total_commands_processed:(\d+)/.exec(info)?.[1]);
}

describe('Redis answers late', () => {
  const lifetime = suiteLifetime();
  let redis: RedisServer;
  let relay: Pick<Relay, 'delayBy' | 'trickle'>;
  let replica: Service;

  before(async () => {
    const stack = await startBehindRelay(lifetime, { replicas: 1, env: ENV, places: PLACES });
    relay = stack.relay;
    redis = stack.servers[0]!;
    replica = stack.replicas[0]!;
  });

  const next = (count: number) => replica.url + placePath(count % PLACES);

  it('by 100 ms: nothing flaps, and the limits are exact', async (t) => {
    const told = recordsFromNow([replica]);
    relay.delayBy(100);
    const ready = watchReadiness([replica]);
    const load = startLoad(t, { clients: 8, next, headers: anyClient });
    let admitted = 0;
    const headers = { 'X-Forwarded-For': '192.0.2.1' };
    for (let n = 0; n < LIMIT + 10; n += 1) {
      const { status } = await attempt(next(n), { headers });
      if (status === 200) admitted += 1;
      else assert.equal(status, 429);
    }
    const replies = await load.stop();
    relay.delayBy(0);
    assert.deepEqual(await ready.stop(), [200]);
    assert.deepEqual([...told.of('redis_degraded'), ...told.of('redis_recovered')], []);
    assert.equal(admitted, LIMIT);
    assert.deepEqual(Object.keys(tally(replies)), ['200 HIT']);
  });

  it('pauses of 120 ms while many ask for readiness: nothing changes', async () => {
    const told = recordsFromNow([replica]);
    for (let pause = 0; pause < 3; pause += 1) {
      relay.delayBy(120);
      const asked = Array.from({ length: 20 }, () => readiness(replica));
      await sleep(120);
      relay.delayBy(0);
      assert.deepEqual(new Set(await Promise.all(asked)), new Set([200]));
      await sleep(300);
    }
    assert.deepEqual(told.of('redis_degraded'), []);
  });

  it('by 300 ms: requests are answered without it, and it stays left alone', async (t) => {
    const told = recordsFromNow([replica]);
    relay.delayBy(300);
    const load = startLoad(t, { clients: 4, next, headers: (n) => anyClient(n + 50_000) });
    await told.each('redis_degraded');
    assert.equal(await readiness(replica), 503);
    const [asked, before] = [load.replies.length, await commands(redis)];
    await eventually(() => load.replies.length >= asked + 500, 'answers without Redis');
    // Each request takes several commands while Redis is well; now only its health is looked at.
    const ran = (await commands(redis)) - before;
    assert.ok(ran < 250, `${ran} commands for 500 requests`);
    assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);
    assert.equal(told.of('redis_degraded').length, 1);
    assert.deepEqual(told.of('redis_recovered'), []);
    assert.equal(await readiness(replica), 503);

    relay.delayBy(0);
    await told.each('redis_recovered');
    await becomesReady(replica);
  });

  it('byte by byte: readiness is answered, and Redis is left alone until it is well', async () => {
    const told = recordsFromNow([replica]);
    relay.trickle(40);
    await readiness(replica);
    await told.each('redis_degraded');
    assert.equal(await readiness(replica), 503);
    assert.equal((await attempt(next(1), { headers: anyClient(1) })).status, 200);
    relay.trickle(0);
    await becomesReady(replica);
  });
});

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { attempt, percentile, startLoad, tally } from '../support/load.js';
import type { Relay } from '../support/relay.js';
import type { Service } from '../support/service.js';
import { anyClient, changesOf, startBehindRelay, watchReadiness } from '../support/slow-redis.js';
import { placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';

const PLACES = 5;
const LIMIT = 30;
/** What a request may wait for Redis in all. */
const MAX_WAIT_MS = 250;
const ENV = { TRUST_PROXY: '1', RATE_LIMIT_PER_IP: String(LIMIT), RATE_LIMIT_TOTAL: '100000' };
/** One replica, and the relay between it and its Redis. */
async function startSlowStack(
  t: TestContext,
): Promise<{ replica: Service; relay: Pick<Relay, 'delayBy' | 'trickle'> }> {
  const { replicas, relay } = await startBehindRelay(t, { replicas: 1, env: ENV, places: PLACES });
  return { replica: replicas[0]!, relay };
}

const place = (replica: Service) => (count: number) => replica.url + placePath(count % PLACES);

describe('Redis answers late, but steadily', () => {
  for (const delayMs of [45, 100]) {
    it(`by ${delayMs} ms: nothing flaps, the limits are exact, nobody waits long`, async (t) => {
      const { replica, relay } = await startSlowStack(t);
      const options = { clients: 8, next: place(replica), headers: anyClient };
      const normal = startLoad(t, options);
      await sleep(1500);
      const usual = await normal.stop();

      relay.delayBy(delayMs);
      const ready = watchReadiness([replica]);
      const load = startLoad(t, { ...options, headers: (count) => anyClient(count + 30_000) });
      await sleep(500);
      let admitted = 0;
      const headers = { 'X-Forwarded-For': '192.0.2.1' };
      for (let n = 0; n < LIMIT + 20; n += 1) {
        const { status } = await attempt(place(replica)(n), { headers });
        if (status === 200) admitted += 1;
        else assert.equal(status, 429);
      }
      await sleep(3000);
      const replies = await load.stop();
      assert.deepEqual(await ready.stop(), [200]);
      assert.deepEqual(changesOf(replica), []);
      assert.equal(admitted, LIMIT);
      assert.deepEqual(Object.keys(tally(replies)), ['200 HIT']);
      // A busy machine delays some: the middle tells a wait that all have.
      const [before, after] = [percentile(usual, 0.5), percentile(replies, 0.5)];
      t.diagnostic(`p99 ${percentile(usual, 0.99)} ms, then ${percentile(replies, 0.99)} ms`);
      assert.ok(after <= before + MAX_WAIT_MS, `${after} ms after ${before} ms`);
    });
  }

  it('by 300 ms: it is left alone and stays so; nobody waits for it meanwhile', async (t) => {
    const { replica, relay } = await startSlowStack(t);
    relay.delayBy(300);
    const load = startLoad(t, { clients: 4, next: place(replica), headers: anyClient });
    await replica.waitFor('redis_degraded');
    assert.equal(await readiness(replica), 503);
    const before = load.replies.length;
    await sleep(5000);
    const replies = await load.stop();
    assert.deepEqual(Object.keys(tally(replies)), ['200 HIT']);
    const later = replies.slice(before + 4);
    assert.ok(percentile(later, 0.5) < 60, `${percentile(later, 0.5)} ms in the middle`);
    assert.equal(changesOf(replica).length, 1);
    assert.equal(await readiness(replica), 503);

    relay.delayBy(0);
    await replica.waitFor('redis_recovered');
    await becomesReady(replica);
  });
});

describe('Redis pauses', () => {
  it('for 120 ms while many ask for readiness: nothing changes, and few probes are sent', async (t) => {
    const { replica, relay } = await startSlowStack(t);
    for (let pause = 0; pause < 5; pause += 1) {
      relay.delayBy(120);
      const asked = Array.from({ length: 20 }, () => readiness(replica));
      await sleep(120);
      relay.delayBy(0);
      assert.deepEqual(new Set(await Promise.all(asked)), new Set([200]));
      await sleep(300);
    }
    assert.deepEqual(changesOf(replica), []);
  });
});

describe('replies of Redis trickle in byte by byte', () => {
  it('readiness is answered in time, and Redis is left alone until it is well', async (t) => {
    const { replica, relay } = await startSlowStack(t);
    relay.trickle(40);
    const asked = performance.now();
    await readiness(replica);
    assert.ok(performance.now() - asked < 1000, 'readiness answers within one second');
    await replica.waitFor('redis_degraded');
    assert.equal(await readiness(replica), 503);
    const reply = await attempt(place(replica)(1), { headers: anyClient(1) });
    assert.equal(reply.status, 200);
    relay.trickle(0);
    await eventually(async () => (await readiness(replica)) === 200, 'a ready replica');
    await replica.waitFor('redis_recovered');
  });
});

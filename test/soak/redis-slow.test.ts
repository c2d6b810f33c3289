import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerFetches } from '../support/agreed-fetches.js';
import { attempt, percentile, startLoad, tally, type Reply } from '../support/load.js';
import { anyClient, changesOf, startBehindRelay, watchReadiness } from '../support/slow-redis.js';
import { placeKey, placePath } from '../support/places.js';
import { becomesReady } from '../support/readiness.js';
import { PATHS } from '../support/stand-in.js';

const PLACES = 5;
const LIMIT = 30;
const CLIENTS = 8;
const MAX_WAIT_MS = 250;
const REPLICAS = 3;
/** As a fraction of the delay. */
const JITTER = 0.5;
const ENV = { TRUST_PROXY: '1', RATE_LIMIT_PER_IP: String(LIMIT), RATE_LIMIT_TOTAL: '1000000' };

for (const topology of ['single', 'cluster'] as const) {
  describe(`a slow Redis (${topology}) and ${REPLICAS} replicas`, () => {
    const start = (t: TestContext) =>
      startBehindRelay(t, {
        replicas: REPLICAS,
        env: { ...ENV, REPLICAS_HINT: String(REPLICAS) },
        places: PLACES,
        topology,
      });
    for (const delayMs of [20, 70]) {
      it(`late by ${delayMs} ms, jitter ${JITTER * 100} %: no effect for clients`, async (t) => {
        const { replicas, relay, url } = await start(t);
        const next = (count: number) => url(placePath(count % PLACES));
        const normal = startLoad(t, { clients: CLIENTS, next, headers: anyClient });
        await sleep(2000);
        const usual = await normal.stop();

        relay.delayBy(delayMs, delayMs * JITTER);
        const ready = watchReadiness(replicas);
        const headers = (count: number) => anyClient(count + 1_000_000);
        const load = startLoad(t, { clients: CLIENTS, next, headers });
        const admitted: number[] = [];
        for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
          let count = 0;
          for (let n = 0; n < LIMIT * 2; n += 1) {
            const reply = await attempt(next(n), { headers: { 'X-Forwarded-For': address } });
            if (reply.status === 200) count += 1;
            else assert.equal(reply.status, 429);
          }
          admitted.push(count);
        }
        await sleep(5000);
        const replies = await load.stop();
        const [half, late] = [usual, replies].map((each) => percentile(each, 0.5)) as [
          number,
          number,
        ];
        const most = [usual, replies].map((each) => Math.round(percentile(each, 0.99)));
        t.diagnostic(`p50 ${half.toFixed()} -> ${late.toFixed()} ms; p99 ${most.join(' -> ')} ms`);
        assert.deepEqual(replicas.flatMap(changesOf), []);
        assert.deepEqual(await ready.stop(), [200]);
        assert.deepEqual(Object.keys(tally(replies)), ['200 HIT']);
        // A busy machine delays less than half of them.
        assert.ok(late <= half + MAX_WAIT_MS, `p50 ${late} ms after ${half} ms`);
        assert.deepEqual(admitted, [LIMIT, LIMIT, LIMIT]);
      });
    }

    it('late by 200 ms, jitter 50 %: one change of availability, which lasts', async (t) => {
      const { replicas, relay, url } = await start(t);
      relay.delayBy(200, 100);
      const next = (count: number) => url(placePath(count % PLACES));
      const load = startLoad(t, { clients: CLIENTS, next, headers: anyClient });
      for (const replica of replicas) {
        await replica.waitFor('redis_unavailable', undefined, 30_000);
      }
      const ready = watchReadiness(replicas);
      await sleep(30_000);
      assert.deepEqual(await ready.stop(), [503]);
      for (const replica of replicas) assert.equal(changesOf(replica).length, 1);
      relay.delayBy(0);
      for (const replica of replicas) await becomesReady(replica);
      assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);
    });
  });
}

describe('a slow Redis and a place that is not cached', () => {
  it('late by 20 ms: the median takes at most 250 ms more than the provider', async (t) => {
    const env = { ...ENV, REPLICAS_HINT: '1' };
    const stack = await startBehindRelay(t, { replicas: 1, workers: 1, env, places: PLACES });
    const { relay, url, upstream } = stack;
    await workerFetches(stack, anyClient(1));
    relay.delayBy(20);
    const replies: Reply[] = [];
    for (let n = 0; n < 30; n += 1) {
      replies.push(await attempt(url(placePath(2000 + n)), { headers: anyClient(2 + n) }));
      await sleep(100);
    }
    const [half, most] = [percentile(replies, 0.5), percentile(replies, 0.99)];
    t.diagnostic(`p50 ${half.toFixed()} ms, p99 ${most.toFixed()} ms`);
    assert.deepEqual(tally(replies), { '200 MISS': replies.length });
    // The stub provider responds at once.
    assert.ok(half <= MAX_WAIT_MS, `${half} ms`);
    assert.equal(upstream.count(PATHS.openMeteo, placeKey(2000)), 1);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt, startLoad, tally } from '../support/load.js';
import { eventually } from '../support/eventually.js';
import { placeKey, placePath } from '../support/places.js';
import { becomesReady } from '../support/readiness.js';
import { startRedis } from '../support/redis-server.js';
import { startRelay } from '../support/relay.js';
import { startProcesses, startStack } from '../support/stack.js';
import { PATHS } from '../support/stand-in.js';

describe('a hot place that has expired while every provider is down', () => {
  it('is fetched about once a second, and answered stale meanwhile', async (t) => {
    const stack = await startStack(t, {
      replicas: 2,
      workers: 1,
      env: { CACHE_TTL_SECONDS: '1', REFRESH_AHEAD_SECONDS: '0' },
    });
    for (const replica of stack.replicas) await attempt(replica.url + placePath(1));
    for (const path of [PATHS.openMeteo, PATHS.metNorway]) {
      stack.upstream.behave(path, { kind: 'status', status: 500 });
    }
    await sleep(1100);
    const started = performance.now();
    const load = startLoad(t, { clients: 10, next: () => stack.url(placePath(1)), pauseMs: 20 });
    await eventually(() => load.replies.length >= 600, 'answers');
    const replies = await load.stop();
    const seconds = (performance.now() - started) / 1000;
    assert.deepEqual(Object.keys(tally(replies)), ['200 STALE']);
    const failed = [...stack.replicas, ...stack.workers].flatMap((one) =>
      one.of('fetch').filter(({ outcome }) => outcome === 'failed'),
    );
    assert.ok(failed.length <= seconds + 2, `${failed.length} fetches in ${seconds} s`);
  });
});

describe('a replica with a slow way to Redis', () => {
  it('runs the fetch that it has begun: nobody waits for one that nobody runs', async (t) => {
    const redis = await startRedis();
    const relay = await startRelay(t, redis.port);
    const stack = await startProcesses(t, {
      ...{ replicas: 1, workers: 0, store: redis },
      env: { REDIS_URL: redis.url },
    });
    const slow = await stack.addReplica({ REDIS_URL: `redis://127.0.0.1:${relay.port}` });
    const [fast] = stack.replicas;
    await Promise.all([slow, fast!].map((replica) => becomesReady(replica)));
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 800 });
    relay.delayBy(115);
    for (const n of [1, 2, 3]) {
      const begun = attempt(slow.url + placePath(n));
      await eventually(
        () => stack.upstream.count(PATHS.openMeteo, placeKey(n)) === 1,
        'the fetch of the slow one',
      );
      const joined = await attempt(fast!.url + placePath(n));
      assert.deepEqual([(await begun).status, joined.status], [200, 200]);
      if (stack.upstream.count(PATHS.openMeteo, placeKey(n)) !== 1)
        console.log(JSON.stringify([slow.records.slice(-9), fast!.records.slice(-9)], null, 1));
      assert.equal(stack.upstream.count(PATHS.openMeteo, placeKey(n)), 1);
    }
  });
});

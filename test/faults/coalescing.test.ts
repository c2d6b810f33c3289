import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { agreedFetches, assertOneMiss, fetchedAlone } from '../support/agreed-fetches.js';
import { eventually } from '../support/eventually.js';
import { attempt, burst, startLoad, tally } from '../support/load.js';
import { placeKey, placePath } from '../support/places.js';
import { startStack } from '../support/stack.js';
import { PATHS } from '../support/stand-in.js';

const times = (count: number, path: () => string) => Array.from({ length: count }, path);

describe('a thousand concurrent requests for one cold place', () => {
  it('cause one upstream fetch over three replicas', async (t) => {
    const stack = await startStack(t, { replicas: 3, workers: 1 });
    const { upstream } = stack;
    for (const n of [1, 2, 3]) {
      // Slower than all of them take to arrive, and than the time after which a job is given up
      // that no worker has taken.
      upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 3000 });
      const replies = await burst(times(1000, () => stack.url(placePath(n))));
      assertOneMiss(stack, n, replies);
      const { '200 COALESCED': coalesced = 0 } = tally(replies);
      // On a busy machine the last ones come when the fetch is over.
      assert.ok(coalesced > 500, `${coalesced} waited`);
      assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
      assert.equal(agreedFetches(stack, n), 1);
    }
    // One record a fetch.
    const [worker] = stack.workers;
    const fetches = worker!.of('fetch');
    assert.ok(fetches.length >= 1);
    for (const { provider, outcome, duration_ms: duration } of fetches) {
      assert.deepEqual([provider, outcome, typeof duration], ['open-meteo', 'ok', 'number']);
    }
  });

  it('cause one upstream fetch also when it ends before the last have asked', async (t) => {
    const stack = await startStack(t, { replicas: 3, workers: 1 });
    for (let n = 1; n <= 60; n += 1) {
      const replies = await burst(times(24, () => stack.url(placePath(n))));
      assertOneMiss(stack, n, replies);
      assert.equal(agreedFetches(stack, n), 1, `place ${n}`);
    }
  });

  it('all get the failure of one fetch, which is not cached', async (t) => {
    const stack = await startStack(t, { replicas: 3, workers: 1 });
    const { upstream } = stack;
    const failing = { kind: 'status', status: 500, delayMs: 300 } as const;
    upstream.behave(PATHS.openMeteo, failing);
    upstream.behave(PATHS.metNorway, failing);
    const replies = await burst(times(300, () => stack.url(placePath(1))));
    assert.deepEqual(tally(replies), { '503': 300 });
    assert.equal(upstream.count(PATHS.openMeteo), 1);
    assert.equal(upstream.count(PATHS.metNorway), 1);
    for (const { headers } of replies) assert.ok(Number(headers['retry-after']) >= 1);

    upstream.behave(PATHS.openMeteo);
    const after = await attempt(stack.url(placePath(1)));
    assert.deepEqual([after.status, after.headers['x-cache']], [200, 'MISS']);
  });
});

describe('a place that nobody knows', () => {
  it('is asked for once, also when its absence is not kept', async (t) => {
    const env = { NEGATIVE_TTL_SECONDS: '0' };
    const stack = await startStack(t, { replicas: 2, workers: 1, env });
    const { upstream } = stack;
    upstream.behave(PATHS.geocoding, { kind: 'ok', delayMs: 1000 });
    const path = '/api/v1/weather?city=Nowhereham&country=United%20Kingdom';
    const replies = await burst(times(40, () => stack.url(path)));
    assert.deepEqual(tally(replies), { '400': 40 });
    const alone = stack.replicas.flatMap((replica) => replica.of('fetch_uncoordinated')).length;
    assert.equal(upstream.count(PATHS.geocoding), 1 + alone);
    await attempt(stack.url(path));
    assert.equal(upstream.count(PATHS.geocoding), 2 + alone);
  });
});

describe('a hot place that expires under load', () => {
  it('is fetched once each time it expires, and nobody gets an old answer', async (t) => {
    const ttl = 2;
    const stack = await startStack(t, {
      replicas: 3,
      workers: 1,
      env: { CACHE_TTL_SECONDS: String(ttl), REFRESH_AHEAD_SECONDS: '0' },
    });
    const { upstream } = stack;
    upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 200 });
    const load = startLoad(t, { clients: 30, next: () => stack.url(placePath(1)), pauseMs: 5 });
    await eventually(() => upstream.count(PATHS.openMeteo) >= 4, 'four fetches');
    const replies = await load.stop();

    const calls = upstream.calls.filter(({ path }) => path === PATHS.openMeteo);
    const tooSoon = calls.filter(({ at }, n) => at - (calls[n - 1]?.at ?? -Infinity) < ttl * 1000);
    assert.ok(tooSoon.length <= fetchedAlone(stack, 1), `${tooSoon.length} fetches too soon`);
    const outcomes = tally(replies);
    assert.ok(outcomes['200 MISS']! <= calls.length);
    assert.deepEqual(
      Object.keys(outcomes).filter((o) => !/^200 (HIT|MISS|COALESCED)$/.test(o)),
      [],
    );
    // Each age is that of the fetched data: no copy lives longer than the original.
    for (const { headers } of replies) assert.ok(Number(headers.age) <= ttl);
  });
});

describe('refreshing ahead', () => {
  const env = { CACHE_TTL_SECONDS: '20', REFRESH_AHEAD_SECONDS: '2' };

  it('a place in demand never misses; a cold one is not refreshed', async (t) => {
    const stack = await startStack(t, { replicas: 2, workers: 1, env });
    const { upstream } = stack;
    const [hot, cold] = [1, 2];
    for (const replica of stack.replicas) {
      for (const n of [hot, cold]) await attempt(replica.url + placePath(n));
    }
    // Asked for twice only in its last seconds.
    const started = Date.now();
    await sleep(18_300);
    await attempt(stack.url(placePath(cold)));
    await attempt(stack.url(placePath(cold)));
    const load = startLoad(t, { clients: 2, next: () => stack.url(placePath(hot)), pauseMs: 50 });
    await sleep(Math.max(0, 24_000 - (Date.now() - started)));
    assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);
    assert.equal(upstream.count(PATHS.openMeteo, placeKey(hot)), 2);
    assert.equal(upstream.count(PATHS.openMeteo, placeKey(cold)), 1);
    const again = await attempt(stack.url(placePath(cold)));
    assert.equal(again.headers['x-cache'], 'MISS');
  });
});

describe('the near copy', () => {
  it('needs no read of the cache, and never lives longer than the shared entry', async (t) => {
    const ttl = 3;
    const stack = await startStack(t, {
      replicas: 2,
      workers: 1,
      env: { CACHE_TTL_SECONDS: String(ttl), REFRESH_AHEAD_SECONDS: '0' },
    });
    const [first, second] = stack.replicas;
    const redis = new Redis(stack.redis.url);
    t.after(() => {
      redis.disconnect();
    });
    await attempt(first!.url + placePath(1));
    const fetched = Date.now();
    await sleep(1500);
    // The second replica's copy is of the same age, not younger.
    const copied = await attempt(second!.url + placePath(1));
    assert.equal(copied.headers['x-cache'], 'HIT');
    assert.ok(Number(copied.headers.age) >= 1);

    const reads = async () =>
      Number(/keyspace_hits:(\d+)/.exec(await redis.info('stats'))?.[1] ?? Number.NaN);
    await redis.config('RESETSTAT');
    await redis.set('probe', '1');
    for (let n = 0; n < 20; n += 1) {
      const reply = await attempt(second!.url + placePath(1));
      if (Date.now() - fetched < ttl * 1000) assert.equal(reply.headers['x-cache'], 'HIT');
    }
    // What is looked up is the worker's and the limits', never the entry.
    assert.ok((await reads()) < 20, 'a hit read the cache');
    await sleep(Math.max(0, fetched + ttl * 1000 + 100 - Date.now()));
    const expired = await attempt(second!.url + placePath(1));
    assert.equal(expired.headers['x-cache'], 'MISS');
  });
});

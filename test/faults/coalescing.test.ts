import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  coordinatedFetches,
  assertMisses,
  uncoordinatedFetches,
} from '../support/coordinated-fetches.js';
import { eventually } from '../support/eventually.js';
import { assertOutcomes, attempt, burst, startLoad, tally } from '../support/load.js';
import { placeKey, placePath } from '../support/places.js';
import { administer } from '../support/redis-cluster.js';
import { recordsFromNow, useStack } from '../support/shared-stack.js';
import { PATHS } from '../support/stub-provider.js';

const times = (count: number, path: () => string) => Array.from({ length: count }, path);

describe('coalescing over three replicas', () => {
  const stackOf = useStack({
    replicas: 3,
    workers: 1,
    env: { CACHE_TTL_SECONDS: '10', REFRESH_AHEAD_SECONDS: '1', NEGATIVE_TTL_SECONDS: '0' },
  });

  it('coalescing: a thousand requests for one cold place cause one fetch', async () => {
    const stack = stackOf();
    // Slower than all of them take to arrive, and than the time after which a job is given up
    // that no worker has taken.
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 3000 });
    const replies = await burst(times(1000, () => stack.url(placePath(1))));
    assertMisses(stack, replies);
    const { '200 COALESCED': coalesced = 0 } = tally(replies);
    // On a busy machine the last ones come when the fetch is over.
    assert.ok(coalesced > 500, `${coalesced} waited`);
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assert.equal(coordinatedFetches(stack, 1), 1);
    for (const { provider, outcome, duration_ms: duration } of stack.workers[0]!.of('fetch')) {
      assert.deepEqual([provider, outcome, typeof duration], ['open-meteo', 'ok', 'number']);
    }
  });

  it('near copy: repeated hits do not read the shared cache', async () => {
    const stack = stackOf();
    const target = stack.replicas[0]!.url + placePath(2);
    await attempt(target);
    await administer(stack.redis, (redis) => redis.config('RESETSTAT'));
    const hits = tally(await burst(times(300, () => target)));
    const { '200 HIT': near = 0 } = hits;
    assert.equal(near, 300, JSON.stringify(hits));
    const info = await administer(stack.redis, (redis) => redis.info('stats'));
    const reads = Number(/keyspace_hits:(\d+)/.exec(info)?.[1]);
    assert.ok(reads < 300, `${reads} reads for 300 hits`);
  });

  it('unknown place: concurrent requests cause one search, although its absence is not kept', async () => {
    const { upstream, replicas, url } = stackOf();
    const told = recordsFromNow(replicas);
    upstream.behave(PATHS.geocoding, { kind: 'ok', delayMs: 1000 });
    const path = '/api/v1/weather?city=Nowhereham&country=United%20Kingdom';
    assert.deepEqual(tally(await burst(times(40, () => url(path)))), { '400': 40 });
    const searches = () =>
      upstream.count(PATHS.geocoding) -
      told.of('fetch').filter(({ uncoordinated }) => uncoordinated).length;
    assert.equal(searches(), 1);
    await attempt(url(path));
    assert.equal(searches(), 2);
  });

  it('refreshing ahead: a place in demand never misses, and a cold one is not refreshed', async (t) => {
    const stack = stackOf();
    const { upstream, url } = stack;
    const [hot, cold] = [11, 12];
    for (const replica of stack.replicas) {
      for (const n of [hot, cold]) await attempt(replica.url + placePath(n));
    }
    const fetched = (n: number) => upstream.count(PATHS.openMeteo, placeKey(n));
    const load = startLoad(t, {
      clients: 3,
      next: () => url(placePath(hot)),
      pauseMs: 50,
    });
    await eventually(() => fetched(hot) === 2, 'a refresh');
    // Now the first entry ends, and the refreshed one takes its place.
    await sleep(1500);
    const replies = await load.stop();
    assert.deepEqual(Object.keys(tally(replies)), ['200 HIT']);
    assert.equal(fetched(cold), 1);
    const again = await attempt(url(placePath(cold)));
    assert.equal(again.headers['x-cache'], 'MISS');
  });

  it('failure: all who wait get that of one fetch, and it is not cached', async () => {
    const { upstream, url } = stackOf();
    upstream.behaveAll({ kind: 'status', status: 500, delayMs: 300 });
    const replies = await burst(times(300, () => url(placePath(21))));
    assert.deepEqual(tally(replies), { '503': 300 });
    assert.equal(upstream.count(PATHS.openMeteo), 1);
    assert.equal(upstream.count(PATHS.metNorway), 1);
    for (const { headers } of replies) assert.ok(Number(headers['retry-after']) >= 1);

    upstream.behave(PATHS.openMeteo);
    const after = await attempt(url(placePath(21)));
    assert.deepEqual([after.status, after.headers['x-cache']], [200, 'MISS']);
  });
});

describe('a place that expires under load', () => {
  const TTL = 2;
  const stackOf = useStack({
    replicas: 2,
    workers: 1,
    env: { CACHE_TTL_SECONDS: String(TTL), REFRESH_AHEAD_SECONDS: '0' },
  });

  it('expiry: one fetch each time, and no copy lives longer than the original', async (t) => {
    const stack = stackOf();
    const { upstream } = stack;
    upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 200 });
    const load = startLoad(t, { clients: 20, next: () => stack.url(placePath(1)), pauseMs: 40 });
    await eventually(() => upstream.count(PATHS.openMeteo) >= 3, 'three fetches');
    const replies = await load.stop();

    const calls = upstream.calls.filter(({ path }) => path === PATHS.openMeteo);
    const tooSoon = calls.filter(({ at }, n) => at - (calls[n - 1]?.at ?? -Infinity) < TTL * 1000);
    assert.ok(
      tooSoon.length <= uncoordinatedFetches(stack, 1),
      `${tooSoon.length} fetches too soon`,
    );
    const outcomes = tally(replies);
    const mostMisses = calls.length * stack.replicas.length;
    assert.ok(outcomes['200 MISS']! <= mostMisses, JSON.stringify([outcomes, calls.length]));
    assertOutcomes(replies, /^200 (HIT|MISS|COALESCED)$/);
    for (const { headers } of replies) assert.ok(Number(headers.age) <= TTL);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NotOfferedError, ServiceUnavailableError } from '../../src/weather/errors.js';
import { createMemoryCache } from '../../src/memory/memory-cache.js';
import { cachedSince, type CacheEntry } from '../../src/weather/cache-entry.js';
import { CURRENT_WEATHER } from '../../src/weather/kinds/current-weather.js';
import { createLookup } from '../../src/weather/lookup.js';
import type { SharedCache } from '../../src/weather/lookup.js';
import type { Scope } from '../../src/weather/request-scope.js';
import { currentWeather, type CurrentWeather } from '../support/steps.js';
import { nextIteration } from '../support/eventually.js';
import { manualClock } from '../support/manual-clock.js';
import { scope } from '../support/scope.js';
import { pointRequest } from '../../src/weather/kinds/point.js';

const OSLO = pointRequest({ latitude: 59.9127, longitude: 10.7461 });
const KEY = 'weather:59.9127:10.7461';
const FETCHED = {
  value: currentWeather(),
  provider: 'open-meteo',
};
const TTL = { freshMs: 300_000, staleMs: 3_600_000 };
/** The entry of another process. */
const SHARED = cachedSince(FETCHED, TTL, 0, 'fetch-1');
/** A deadline that no test reaches. */
const NEVER = scope();

/** A lookup with a real near cache, and a queue whose fetches the test ends. */
function setUp(
  options: {
    shared?: CacheEntry<CurrentWeather>;
    refreshAheadMs?: number;
    maxWaitMs?: number;
    isOffered?: boolean;
  } = {},
) {
  const clock = manualClock();
  const near = createMemoryCache({ clock, maxBytes: 1_000_000 });
  const fetches: {
    resolve(entry: CacheEntry<CurrentWeather>): void;
    reject(error: Error): void;
  }[] = [];
  const refreshes: unknown[] = [];
  let abandoned = 0;
  const sharedCache: SharedCache = {
    find: <Value>() => {
      const fetch = ({ signal }: Scope) =>
        new Promise<CacheEntry<Value>>((resolve, reject) => {
          fetches.push({
            resolve: (entry) => {
              resolve(entry as CacheEntry<Value>);
            },
            reject,
          });
          signal.addEventListener('abort', () => {
            abandoned += 1;
            reject(signal.reason as Error);
          });
        });
      return Promise.resolve({ entry: options.shared as CacheEntry<Value> | undefined, fetch });
    },
    refresh(_kind, request) {
      refreshes.push(request);
    },
  };
  const lookUp = createLookup({
    near,
    sharedCache,
    isOffered: () => options.isOffered ?? true,
    clock,
    fetchesPerSecond: 0.8,
    maxQueuedMs: 20_000,
    maxWaitMs: options.maxWaitMs ?? 60_000,
    refreshAheadMs: options.refreshAheadMs ?? 0,
  });
  const lookup = (request: typeof OSLO, by: Scope) =>
    Promise.resolve(lookUp(CURRENT_WEATHER, request, by));
  const fresh = () => cachedSince(FETCHED, TTL, clock.monotonic(), 'fetch-1');
  /** Looks Oslo up, and ends the fetch that this starts. */
  async function lookUpAndEnd(end: CacheEntry<CurrentWeather> | Error) {
    const begun = fetches.length;
    const answer = lookup(OSLO, NEVER);
    await nextIteration();
    if (end instanceof Error) fetches[begun]!.reject(end);
    else fetches[begun]!.resolve(end);
    return answer;
  }
  /** Looks Oslo up. @returns the number of refreshes until now */
  async function lookUpOften(times: number): Promise<number> {
    for (let request = 0; request < times; request += 1) await lookup(OSLO, NEVER);
    return refreshes.length;
  }
  return {
    clock,
    near,
    fetches,
    refreshes,
    lookup,
    fresh,
    lookUpAndEnd,
    lookUpOften,
    abandoned: () => abandoned,
  };
}

const DOWN = new ServiceUnavailableError('down');
const nthPlace = (n: number) => pointRequest({ latitude: n, longitude: n });

describe('lookup', () => {
  it('rejects a request at once if it cannot be fetched by its deadline', async () => {
    const { lookup, fetches, clock, fresh } = setUp();
    const soon = scope({ deadline: clock.monotonic() + 10_000 });
    const all = Array.from({ length: 50 }, (_, n) => lookup(nthPlace(n), soon));
    // The clock is not advanced: no request has waited.
    for (const result of all.slice(8)) await assert.rejects(result, /Too many fetches are waiting/);
    assert.equal(fetches.length, 8);
    clock.advance(5000);
    await assert.rejects(lookup(OSLO, soon), /Too many fetches are waiting/);
    for (const fetch of fetches) fetch.resolve(fresh());
    await Promise.all(all.slice(0, 8));
  });

  it('fetches nothing that no provider offers, and serves what another process has stored', async () => {
    const { lookup, fetches } = setUp({ isOffered: false });
    await assert.rejects(lookup(OSLO, NEVER), NotOfferedError);
    assert.equal(fetches.length, 0);
    const { lookup: withEntry, clock } = setUp({ isOffered: false, shared: SHARED });
    clock.advance(TTL.freshMs);
    assert.equal((await withEntry(OSLO, NEVER)).outcome, 'STALE');
  });

  it('fetches again when an entry is no longer fresh, to the millisecond', async () => {
    const { lookup, near, fresh, lookUpAndEnd, clock } = setUp();
    near.put(KEY, fresh());
    clock.advance(299_999);
    assert.equal((await lookup(OSLO, NEVER)).outcome, 'HIT');
    clock.advance(1);
    assert.equal((await lookUpAndEnd(fresh())).outcome, 'MISS');
  });

  it('reads the entry of another process, and serves it stale if a fetch fails', async () => {
    const { lookup, fetches, lookUpAndEnd, clock } = setUp({ shared: SHARED });
    assert.equal((await lookup(OSLO, NEVER)).outcome, 'HIT');
    assert.equal(fetches.length, 0);
    clock.advance(TTL.freshMs);
    assert.equal((await lookUpAndEnd(DOWN)).outcome, 'STALE');
  });

  it('serves a stale entry without another fetch for a second after a failed fetch', async () => {
    const { lookup, near, fetches, fresh, lookUpAndEnd, clock } = setUp();
    near.put(KEY, fresh());
    clock.advance(TTL.freshMs);
    assert.equal((await lookUpAndEnd(DOWN)).outcome, 'STALE');
    clock.advance(999);
    assert.equal((await lookup(OSLO, NEVER)).outcome, 'STALE');
    assert.equal(fetches.length, 1);
    clock.advance(1);
    assert.equal((await lookUpAndEnd(fresh())).outcome, 'MISS');
  });

  it('does not serve an entry after its stale time, and does not cache the failure', async () => {
    const { near, fresh, lookUpAndEnd, clock } = setUp();
    near.put(KEY, fresh());
    clock.advance(TTL.freshMs + TTL.staleMs);
    await assert.rejects(lookUpAndEnd(DOWN), ServiceUnavailableError);
    assert.equal((await lookUpAndEnd(fresh())).outcome, 'MISS');
  });

  it('rejects at once above the bound, and still serves hits', async () => {
    const { lookup, fetches, fresh } = setUp();
    for (const round of [0, 1]) {
      const places = Array.from({ length: 16 }, (_, n) => nthPlace(round * 16 + n));
      const waiting = places.map((place) => lookup(place, NEVER));
      await nextIteration();
      await assert.rejects(lookup(OSLO, NEVER), /Too many fetches are waiting/);
      assert.equal(fetches.length, 16);
      for (const fetch of fetches.splice(0)) fetch.resolve(fresh());
      await Promise.all(waiting);
      assert.equal((await lookup(places[15]!, NEVER)).outcome, 'HIT');
    }
  });

  it('waits for a fetch at most maxWaitMs, whatever the deadline of the request', async () => {
    const { lookup, abandoned } = setUp({ maxWaitMs: 20 });
    await assert.rejects(lookup(OSLO, NEVER), ServiceUnavailableError);
    assert.equal(abandoned(), 1);
  });

  it('ends at the deadline of a request, and continues for the others', async () => {
    const { lookup, fetches, fresh, clock } = setUp();
    const impatient = lookup(OSLO, scope({ deadline: clock.monotonic() + 20 }));
    const patient = lookup(OSLO, NEVER);
    await assert.rejects(impatient, ServiceUnavailableError);
    fetches[0]!.resolve(fresh());
    assert.equal((await patient).outcome, 'COALESCED');
  });

  it('is a hit if it has joined the read of a fresh entry', async () => {
    const { lookup } = setUp({ shared: cachedSince(FETCHED, TTL, 0, 'shared') });
    const results = await Promise.all([lookup(OSLO, NEVER), lookup(OSLO, NEVER)]);
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['HIT', 'HIT'],
    );
  });

  it('serves the newer of two stale entries: that of the store, or its own', async () => {
    for (const [sharedAt, ownAt, expected] of [
      [0, 10_000, 'own'],
      [10_000, 0, 'shared'],
    ] as const) {
      const entry = (at: number, fetchId: string) => cachedSince(FETCHED, TTL, at, fetchId);
      const { lookUpAndEnd, near, clock } = setUp({ shared: entry(sharedAt, 'shared') });
      near.put(KEY, entry(ownAt, 'own'));
      clock.advance(TTL.freshMs + 10_000);
      const { entry: served } = await lookUpAndEnd(new ServiceUnavailableError('down'));
      assert.equal(served.fetchId, expected);
    }
  });

  it('serves a stale entry at the deadline of the request', async () => {
    const { lookup, near, fresh, clock } = setUp();
    near.put(KEY, fresh());
    clock.advance(TTL.freshMs);
    const impatient = lookup(OSLO, scope({ deadline: clock.monotonic() + 20 }));
    assert.equal((await impatient).outcome, 'STALE');
  });

  it('refreshes an entry once, at the third request near its expiry', async () => {
    const { lookUpOften, near, fresh, clock, refreshes } = setUp({ refreshAheadMs: 20_000 });
    near.put(KEY, fresh());
    clock.advance(TTL.freshMs - 20_001);
    assert.equal(await lookUpOften(5), 0);
    clock.advance(1);
    assert.equal(await lookUpOften(2), 0);
    assert.equal(await lookUpOften(3), 1);
    assert.deepEqual(refreshes, [OSLO]);
    // The requests for the next entry are counted from zero.
    near.put(KEY, fresh());
    clock.advance(TTL.freshMs - 20_000);
    assert.equal(await lookUpOften(2), 1);
  });

  it('refreshes an entry at most in the last tenth of its own TTL', async () => {
    const { lookUpOften, near, clock } = setUp({ refreshAheadMs: 20_000 });
    const ttl = { freshMs: 50_000, staleMs: 0 };
    near.put(KEY, cachedSince(FETCHED, ttl, clock.monotonic(), 'fetch-1'));
    clock.advance(44_999);
    assert.equal(await lookUpOften(9), 0);
    clock.advance(1);
    assert.equal(await lookUpOften(3), 1);
  });

  it('does not refresh an entry before its provider allows another call', async () => {
    const { lookUpOften, near, clock } = setUp({ refreshAheadMs: 20_000 });
    const fetched = { ...FETCHED, freshForMs: 290_000 };
    near.put(KEY, cachedSince(fetched, TTL, clock.monotonic(), 'fetch-1'));
    clock.advance(289_999);
    assert.equal(await lookUpOften(9), 0);
    clock.advance(1);
    assert.equal(await lookUpOften(3), 1);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  cachedSince,
  type CacheEntry,
  type AttributedValue,
} from '../../src/weather/cache-entry.js';
import { currentWeather } from '../support/steps.js';
import type { Clock } from '../../src/weather/types.js';

/** How a test writes and reads entries. */
export interface Cache {
  get(key: string): Promise<CacheEntry<unknown> | undefined>;
  set(key: string, entry: CacheEntry<unknown>): Promise<void>;
}

export interface CacheUnderTest {
  cache: Cache;
  clock: Clock;
  advance: (ms: number) => Promise<void>;
}

const VALUE = currentWeather();
const FETCHED: AttributedValue<unknown> = { value: VALUE, provider: 'open-meteo' };
/** A value fetched now. */
const fetched = (clock: Clock, freshMs: number, staleMs = 0) =>
  cachedSince(FETCHED, { freshMs, staleMs }, clock.monotonic(), 'fetch-1');

let keys = 0;
const newKey = () => `weather:${(keys += 1)}.0000:0.0000`;

/** What every adapter of the port does. */
export function cacheContract(adapter: string, create: () => CacheUnderTest): void {
  describe(`cache: ${adapter}`, () => {
    it('returns the value with its exact remaining TTL', async () => {
      const { cache, clock, advance } = create();
      const key = newKey();
      const began = performance.now();
      await cache.set(key, fetched(clock, 50_000, 30_000));
      await advance(12_000);
      const entry = await cache.get(key);
      // The clock of Redis continues between write and read, and has whole milliseconds.
      const tolerance = performance.now() - began + 2;
      const near = (actual: number, expected: number, what: string) => {
        assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, not ${expected}`);
      };
      const now = clock.monotonic();
      assert.deepEqual(entry?.value, VALUE);
      near(now - entry.fetchedAt, 12_000, 'age');
      near(entry.freshUntil - now, 38_000, 'remaining fresh time');
      near(entry.staleUntil - now, 68_000, 'remaining stale time');
    });

    it('returns an entry until its stale time ends', async () => {
      const { cache, clock, advance } = create();
      const key = newKey();
      await cache.set(key, fetched(clock, 30_000, 100_000));
      await advance(60_000);
      const entry = await cache.get(key);
      assert.ok(entry && entry.freshUntil < clock.monotonic());
      await advance(100_000);
      assert.equal(await cache.get(key), undefined);
    });

    it('counts the TTL from the fetch, not from the write', async () => {
      const { cache, clock, advance } = create();
      const key = newKey();
      const entry = fetched(clock, 100_000);
      await advance(60_000);
      await cache.set(key, entry);
      assert.ok(await cache.get(key));
      await advance(60_000);
      assert.equal(await cache.get(key), undefined);
    });

    it('keeps the entry that was fetched later, whichever is written last and lives longer', async () => {
      for (const [olderMs, newerMs, freshForMs] of [
        [90_000, 20_000, undefined],
        [20_000, 90_000, undefined],
        [90_000, 20_000, 30_000],
      ] as const) {
        const { cache, clock, advance } = create();
        const key = newKey();
        const entry = (fetchId: string, freshMs: number) =>
          cachedSince(
            { ...FETCHED, freshForMs },
            { freshMs, staleMs: 10_000 },
            clock.monotonic(),
            fetchId,
          );
        const older = entry('older', olderMs);
        await advance(1000);
        const newer = entry('newer', newerMs);
        for (const each of [older, newer, older]) await cache.set(key, each);
        assert.equal((await cache.get(key))?.fetchId, 'newer');
      }
    });

    it('does not store an entry that has expired', async () => {
      const { cache, clock, advance } = create();
      const key = newKey();
      const entry = fetched(clock, 100);
      await advance(200);
      await cache.set(key, entry);
      assert.equal(await cache.get(key), undefined);
    });
  });
}

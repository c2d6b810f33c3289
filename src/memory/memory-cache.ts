import { createLru } from '../base/lru.js';
import type { CacheEntry, NearCache } from '../weather/cache-entry.js';
import type { Fetcher } from '../weather/fetch.js';
import { keyOf } from '../weather/kinds/kind.js';
import type { SharedCache } from '../weather/lookup.js';
import type { Clock } from '../weather/types.js';

/**
 * Bytes of heap that an entry takes besides its value, and at most for each character of its value
 * in JSON. Measured: current weather 1.4 kB for 250 characters, a daily forecast 7.5 kB for 2,300,
 * an hourly forecast 21 kB for 9,800. A number takes eight bytes or more, whatever its text.
 */
const ENTRY_BYTES = 800;
const BYTES_PER_CHARACTER = 3;

/**
 * Creates a cache in memory. An entry counts as the bytes that it takes at most. Beyond `maxBytes`,
 * the least recently used entry is evicted.
 */
export function createMemoryCache(options: {
  clock: Pick<Clock, 'monotonic'>;
  maxBytes: number;
}): NearCache {
  const { clock, maxBytes } = options;
  const entries = createLru<string, CacheEntry<unknown>>(maxBytes, {
    sizeCalculation: ({ value }) =>
      ENTRY_BYTES + BYTES_PER_CHARACTER * JSON.stringify(value).length,
  });
  return {
    peek(key) {
      const entry = entries.get(key);
      if (!entry || clock.monotonic() < entry.staleUntil) return entry;
      entries.delete(key);
      return undefined;
    },
    put(key, entry) {
      const { fetchedAt = -Infinity } = entries.peek(key) ?? {};
      if (fetchedAt <= entry.fetchedAt) entries.set(key, entry);
    },
  };
}

/**
 * Runs each fetch at once. The lookup joins concurrent requests for a key, and the upstream
 * concurrency limit bounds the calls.
 */
export function createMemorySharedCache(options: {
  fetcher: Fetcher;
  cache: NearCache;
  /** Aborts when the process ends. */
  signal: AbortSignal;
}): SharedCache {
  const { fetcher, cache, signal } = options;
  return {
    find: (kind, request) =>
      Promise.resolve({
        // The near cache is the whole cache.
        entry: undefined,
        // Its signal aborts when no request waits. Its deadline is that of the first request.
        fetch: (scope) => fetcher(kind, request, { ...scope, deadline: Infinity }),
      }),
    refresh(kind, request) {
      const scope = { signal, deadline: Infinity, trace: { traceId: undefined }, isRefresh: true };
      fetcher(kind, request, scope).then(
        (fresh) => {
          cache.put(keyOf(kind, request), fresh);
        },
        // The fetch has logged its failure. The entry remains until it expires.
        () => undefined,
      );
    },
  };
}

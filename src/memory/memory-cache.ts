import { createLru } from '../base/lru.js';
import type { CacheEntry, NearCache } from '../weather/cache-entry.js';
import type { Clock } from '../weather/types.js';

/** Bytes that an entry takes beside its value, measured with current weather: 441 bytes of heap for 95 of JSON. */
const ENTRY_BYTES = 400;

/**
 * Creates a cache in the memory of this process. An entry counts as the length of its value in JSON, about what it takes
 * in memory, and `ENTRY_BYTES`. Beyond `maxBytes`, the least recently used entry is evicted.
 */
export function createMemoryCache(options: {
  clock: Pick<Clock, 'monotonic'>;
  maxBytes: number;
}): NearCache {
  const { clock, maxBytes } = options;
  const entries = createLru<string, CacheEntry<unknown>>(maxBytes, {
    sizeCalculation: ({ value }) => ENTRY_BYTES + JSON.stringify(value).length,
  });
  return {
    peek(key) {
      const entry = entries.get(key);
      if (!entry || clock.monotonic() < entry.staleUntil) return entry;
      entries.delete(key);
      return undefined;
    },
    put: (key, entry) => void entries.set(key, entry),
  };
}

import { createLru } from '../lru.js';
import type { Cached, NearCache } from '../weather/cache-entry.js';
import type { Clock } from '../weather/types.js';

/** Entries in this process; the least recently used one makes room. */
export function createMemoryCache(options: { clock: Clock; maxEntries: number }): NearCache {
  const entries = createLru<string, Cached<unknown>>(options.maxEntries);
  return {
    peek(key) {
      const entry = entries.get(key);
      if (!entry || options.clock.monotonic() < entry.staleUntil) return entry;
      entries.delete(key);
      return undefined;
    },
    put: (key, entry) => void entries.set(key, entry),
  };
}

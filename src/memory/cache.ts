import { LRUCache } from 'lru-cache';
import type { Cache, Cached } from '../weather/cache.js';
import type { NearCache } from '../weather/lookup.js';
import type { Clock } from '../weather/types.js';

/**
 * A bounded cache in this process. Alone it is the whole cache; in front of Redis it is the near
 * copy, and what is left while Redis is away. The least recently used entry makes room.
 */
export function createMemoryCache(options: {
  clock: Clock;
  maxEntries: number;
}): Cache & NearCache {
  const entries = new LRUCache<string, Cached>({ max: options.maxEntries });

  function peek(key: string): Cached | undefined {
    const entry = entries.get(key);
    if (!entry || options.clock.monotonic() < entry.staleUntil) return entry;
    entries.delete(key);
    return undefined;
  }

  return {
    peek,
    put: (key, entry) => void entries.set(key, entry),
    get: (key) => Promise.resolve(peek(key)),
    set: (key, entry) => {
      entries.set(key, entry);
      return Promise.resolve();
    },
    drop: (key) => void entries.delete(key),
  };
}

import { randomUUID } from 'node:crypto';
import type { NearCache } from '../weather/cache-entry.js';
import type { Fetcher } from '../weather/fetch.js';
import { keyOf } from '../weather/kinds/kind.js';
import type { SharedCache } from '../weather/shared-cache.js';

/**
 * Runs each fetch in this process at once. Nothing is queued: the lookup joins concurrent requests for one
 * key, and the upstream concurrency limit bounds the calls.
 */
export function createMemorySharedCache(options: {
  fetcher: Fetcher;
  cache: NearCache;
  /** Aborts when the process ends. */
  signal: AbortSignal;
}): SharedCache {
  const { fetcher, cache, signal } = options;
  return {
    // The near cache is the whole cache, so there is no shared entry.
    async find(kind, request, { signal: abandoned, trace }, beforeFetch) {
      beforeFetch(undefined);
      const fetchId = randomUUID();
      trace.fetchId = fetchId;
      return fetcher(kind, request, { fetchId, traceId: trace.traceId }, abandoned);
    },
    refresh(kind, request) {
      fetcher(kind, request, { fetchId: randomUUID(), traceId: undefined }, signal).then(
        (fresh) => {
          cache.put(keyOf(kind, request), fresh);
        },
        // The fetch has logged its failure. The entry remains until it expires.
        () => undefined,
      );
    },
  };
}

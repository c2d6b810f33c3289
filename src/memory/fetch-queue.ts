import { randomUUID } from 'node:crypto';
import type { NearCache } from '../weather/cache-entry.js';
import type { Fetcher } from '../weather/fetch.js';
import { keyOf } from '../weather/kind.js';
import type { FetchQueue } from '../weather/queue.js';

/**
 * Fetches in this process. The lookup joins concurrent requests for one key already, so there is
 * nothing to queue; the providers' concurrency limits hold the rest.
 */
export function createMemoryFetchQueue(options: {
  fetcher: Fetcher;
  cache: NearCache;
  /** Aborts when the process ends. */
  signal: AbortSignal;
}): FetchQueue {
  const { fetcher, cache, signal } = options;
  return {
    // The near cache is the whole cache.
    read: () => Promise.resolve(undefined),
    fetch(kind, request, { signal: abandoned, trace }) {
      const fetchId = randomUUID();
      trace.fetchId = fetchId;
      return fetcher(kind, request, { fetchId, traceId: trace.traceId }, abandoned);
    },
    refresh(kind, request) {
      fetcher(kind, request, { fetchId: randomUUID(), traceId: undefined }, signal).then(
        (fresh) => {
          cache.put(keyOf(kind, request), fresh);
        },
        // The failed fetch has its record; the entry remains until it expires.
        () => undefined,
      );
    },
  };
}

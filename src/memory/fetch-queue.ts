import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Cached, NearCache } from '../weather/cache.js';
import type { Fetcher } from '../weather/fetch.js';
import { DEMAND_THRESHOLD, type FetchQueue } from '../weather/queue.js';
import { requestKey } from '../weather/request.js';

/** Entries whose demand is counted at the same time. */
const MAX_COUNTED = 10_000;

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
  const demand = new LRUCache<string, { entry: Cached; requests: number }>({ max: MAX_COUNTED });

  return {
    ask(request, scope, mayFetch) {
      if (!mayFetch) return Promise.resolve({ kind: 'none', stale: undefined });
      const identity = { fetchId: randomUUID(), traceId: scope.trace.traceId };
      scope.trace.fetchId = identity.fetchId;
      const end = fetcher(request, identity, scope.signal).then((entry) => ({
        entry,
        caused: true,
      }));
      return Promise.resolve({ kind: 'fetch', stale: undefined, end });
    },
    noteDemand(request, entry) {
      const key = requestKey(request);
      const noted = demand.get(key);
      const requests = noted?.entry === entry ? noted.requests + 1 : 1;
      demand.set(key, { entry, requests });
      if (requests !== DEMAND_THRESHOLD) return;
      fetcher(request, { fetchId: randomUUID(), traceId: undefined }, signal).then(
        (fresh) => {
          cache.put(key, fresh);
        },
        // The failed fetch has its record; the entry lives on until it expires.
        () => undefined,
      );
    },
  };
}

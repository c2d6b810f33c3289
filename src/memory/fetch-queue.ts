import { LRUCache } from 'lru-cache';
import type { Cached } from '../weather/cache.js';
import type { Fetcher } from '../weather/fetch.js';
import type { NearCache } from '../weather/lookup.js';
import { DEMAND_THRESHOLD, type FetchQueue } from '../weather/queue.js';
import { requestKey } from '../weather/request.js';

/**
 * Fetches in this process. The look-up already joins concurrent requests for one key, so there is
 * nothing to queue; the providers' own caps hold the rest.
 */
export function createMemoryFetchQueue(options: {
  fetcher: Fetcher;
  cache: NearCache;
  /** Aborted when the process ends. */
  signal: AbortSignal;
}): FetchQueue {
  const { fetcher, cache, signal } = options;
  const demand = new LRUCache<string, { entry: Cached; requests: number }>({ max: 10_000 });

  return {
    async fetch(request) {
      return { entry: await fetcher(request, signal), leader: true };
    },
    noteDemand(request, entry) {
      const key = requestKey(request);
      const noted = demand.get(key);
      const requests = noted?.entry === entry ? noted.requests + 1 : 1;
      demand.set(key, { entry, requests });
      if (requests !== DEMAND_THRESHOLD) return;
      fetcher(request, signal).then(
        (fresh) => {
          cache.put(key, fresh);
        },
        // The record of the failed fetch is written; the entry lives out its life.
        () => undefined,
      );
    },
  };
}

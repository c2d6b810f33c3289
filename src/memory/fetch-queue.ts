import { randomUUID } from 'node:crypto';
import type { NearCache } from '../weather/cache.js';
import type { Fetcher } from '../weather/fetch.js';
import type { FetchQueue } from '../weather/queue.js';
import { requestKey } from '../weather/request.js';

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
    ask(request, scope, mayFetch) {
      if (!mayFetch) return Promise.resolve({ kind: 'none', stale: undefined });
      const identity = { fetchId: randomUUID(), parent: scope.trace.parent };
      scope.trace.fetchId = identity.fetchId;
      const end = fetcher(request, identity, scope.signal, scope).then((entry) => ({
        entry,
        caused: true,
      }));
      return Promise.resolve({ kind: 'fetch', stale: undefined, end });
    },
    refresh(request) {
      fetcher(request, { fetchId: randomUUID(), parent: undefined }, signal, {
        storeMs: 0,
      }).then(
        (fresh) => {
          cache.put(requestKey(request), fresh);
        },
        // The failed fetch has its record; the entry lives on until it expires.
        () => undefined,
      );
      return true;
    },
  };
}

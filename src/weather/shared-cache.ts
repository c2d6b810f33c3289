import type { CacheEntry } from './cache-entry.js';
import type { Kind } from './kinds/kind.js';
import type { Scope } from './request-scope.js';

/** The cache and the fetches that all processes share. Never throws because the store is unavailable. */
export interface SharedCache {
  /**
   * Returns the shared entry if it is fresh. Otherwise fetches a value once for all requests that wait for it
   * (single-flight), in any process. The caller joins the requests of its process: it calls this for a key once at a
   * time.
   * @param beforeFetch called before a fetch, with the shared entry if there is a stale one. If it throws, there is no
   *   fetch
   * @throws ServiceUnavailableError if the fetch failed; the signal's reason when the scope's signal aborts; what
   *   `beforeFetch` throws
   */
  find<Request, Value>(
    kind: Kind<Request, Value>,
    request: Request,
    scope: Scope,
    beforeFetch: (stale: CacheEntry<Value> | undefined) => void,
  ): Promise<CacheEntry<Value>>;
  /**
   * Fetches an entry again in the background before its TTL ends (refresh-ahead), if that is possible.
   * @param freshForMs an entry that is fresh for longer was refreshed by another process, and is left as it is
   */
  refresh<Request>(kind: Kind<Request, unknown>, request: Request, freshForMs: number): void;
}

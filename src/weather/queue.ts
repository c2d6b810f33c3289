import type { Cached } from './cache-entry.js';
import type { Kind } from './kind.js';
import type { Scope } from './request-scope.js';

/** The shared cache, and the fetches of all processes. Never throws because a store is unavailable. */
export interface FetchQueue {
  /** Reads the shared entry, fresh or stale. Returns undefined if there is none. */
  read<Request, Value>(
    kind: Kind<Request, Value>,
    request: Request,
  ): Promise<Cached<Value> | undefined>;
  /**
   * Fetches a value once for all requests that wait for it (single-flight), in any process. The
   * caller joins the requests of its process: it calls this for a key once at a time.
   * @throws ServiceUnavailableError if the fetch failed; the signal's reason when the scope's signal aborts
   */
  fetch<Request, Value>(
    kind: Kind<Request, Value>,
    request: Request,
    scope: Scope,
  ): Promise<Cached<Value>>;
  /** Fetches an entry again in the background before its TTL ends (refresh-ahead), if that is possible. */
  refresh<Request>(kind: Kind<Request, unknown>, request: Request): void;
}

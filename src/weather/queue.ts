import type { Cached } from './cache.js';
import type { Kind } from './kind.js';
import type { Scope } from './scope.js';

/** What `ask` finds. */
export type Asked<Value> =
  /** A fresh entry. */
  | { kind: 'entry'; entry: Cached<Value> }
  /** A fetch that is in flight now. `stale`: an entry that has expired. */
  | { kind: 'fetch'; stale: Cached<Value> | undefined; end: Promise<Cached<Value>> }
  /** Neither: no fetch may start, or the last one failed a moment ago. */
  | { kind: 'none'; stale: Cached<Value> | undefined; failure?: Error | undefined };

/** The shared cache, and the fetches of all processes. */
export interface FetchQueue {
  /**
   * Finds the shared entry, or has it fetched once for everyone who asks meanwhile. `end` rejects with
   * ServiceUnavailableError if the fetch failed, and with the signal's reason if the scope's signal aborts. Never throws
   * because a store is unavailable. The caller joins the requests of its process: it asks for a key once at a time.
   * @param mayFetch whether a fetch may start
   */
  ask<Request, Value>(
    kind: Kind<Request, Value>,
    request: Request,
    scope: Scope,
    mayFetch: boolean,
  ): Promise<Asked<Value>>;
  /**
   * Has an entry that soon expires fetched again, in the background. Never fails.
   * @returns false if this process runs too many fetches already
   */
  refresh<Request>(kind: Kind<Request, unknown>, request: Request): boolean;
}

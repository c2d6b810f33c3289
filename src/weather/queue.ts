import type { Cached } from './cache.js';
import type { FetchRequest } from './request.js';
import type { Scope } from './scope.js';

/** How a fetch ended that this process asked for. */
export interface FetchEnd {
  entry: Cached;
  /** Whether the request that asked began the fetch, or ran it. */
  caused: boolean;
}

/** What a question for an entry finds. */
export type Asked =
  /** A fresh entry. */
  | { kind: 'entry'; entry: Cached }
  /** A fetch, begun by this question or before it. `stale`: an entry that has expired. */
  | { kind: 'fetch'; stale: Cached | undefined; end: Promise<FetchEnd> }
  /** Neither: no fetch may begin, or the last one failed a moment ago. */
  | { kind: 'none'; stale: Cached | undefined; failure?: Error | undefined };

/** Where a request goes that this process has no fresh copy for. */
export interface FetchQueue {
  /**
   * Finds the shared entry, or has it fetched once for everybody who asks meanwhile. `end` rejects
   * with ServiceUnavailableError when the fetch failed, and with the signal's reason when the
   * scope's signal aborts. Never throws because a store is unavailable.
   * @param mayFetch whether a fetch may begin
   */
  ask(request: FetchRequest, scope: Scope, mayFetch: boolean): Promise<Asked>;
  /**
   * Has an entry that soon expires fetched again, in the background. Never fails.
   * @returns false when this process runs too many fetches already
   */
  refresh(request: FetchRequest): boolean;
}

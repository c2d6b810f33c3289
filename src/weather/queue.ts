import type { Cached } from './cache.js';
import type { FetchRequest } from './request.js';
import type { Scope } from './scope.js';

/** The request for an entry that soon expires which has it refreshed. */
export const DEMAND_THRESHOLD = 3;

/** How a fetch ended that this process asked for. */
export interface FetchEnd {
  entry: Cached;
  /** Whether this process answers for the fetch: of all who asked, exactly one does. */
  caused: boolean;
}

/** What a question for an entry finds. */
export type Asked =
  /** A fresh entry. */
  | { kind: 'entry'; entry: Cached }
  /** A fetch, begun by this question or before it. `stale`: an entry that has expired. */
  | { kind: 'fetch'; stale: Cached | undefined; end: Promise<FetchEnd> }
  /** Neither, and no fetch may begin. */
  | { kind: 'none'; stale: Cached | undefined };

/** Where a request goes that this process has no fresh copy for. */
export interface FetchQueue {
  /**
   * Finds the shared entry, or has it fetched once for everybody who asks meanwhile. `end` rejects
   * with ServiceUnavailableError when the fetch failed. Never throws because a store is unavailable.
   * @param mayFetch whether a fetch may begin
   */
  ask(request: FetchRequest, scope: Scope, mayFetch: boolean): Promise<Asked>;
  /**
   * Takes note that an entry was asked for shortly before it expires. The third such request has it
   * refreshed in the background. Never waits and never fails.
   */
  noteDemand(request: FetchRequest, entry: Cached): void;
}

import type { Cached } from './cache.js';
import type { FetchRequest } from './request.js';
import type { Scope } from './scope.js';

/** The request for an entry that soon ends which has it refreshed. */
export const DEMAND_THRESHOLD = 3;

/** Where a request goes that no cache can answer. */
export interface FetchQueue {
  /**
   * Has the request fetched once, by whoever does it, however many ask.
   * @returns the entry, and whether this call is the one that caused the fetch
   * @throws ServiceUnavailableError when the fetch failed
   */
  fetch(request: FetchRequest, scope: Scope): Promise<{ entry: Cached; leader: boolean }>;
  /**
   * Takes note that an entry was asked for shortly before its end. The third such request has it
   * fetched anew in the background. Never waits and never fails.
   */
  noteDemand(request: FetchRequest, entry: Cached): void;
}

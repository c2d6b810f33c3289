import type { Scope } from './scope.js';

/** One entry of a session's list, in the spelling of the search that put it there. */
export interface RecentSearch {
  city: string;
  country: string;
}

/** A search as it is recorded. */
export interface Search extends RecentSearch {
  /** The same for every spelling of one place. */
  placeKey: string;
}

/** What the store may record in the very step that admits a request. */
export interface PendingRecord {
  readonly sessionId: string;
  /** Undefined: the session is only confirmed. */
  readonly search: Search | undefined;
  /** Set when it has been recorded: as `record` returns it. */
  issuedAt?: number;
}

/** At most so many searches are kept for a session. */
export const MAX_RECENT_SEARCHES = 10;

/** What is kept of a session beside its searches. */
export interface SessionData {
  /** Unix time in milliseconds at which the session's cookie was last issued. */
  issuedAt: number;
  /** Whether the cookie has come back at least once. Until then the session has a short life. */
  confirmed: boolean;
}

/** How long a session lives, in seconds: from its last search, and until its cookie has come back. */
export interface SessionLives {
  ttlSeconds: number;
  unconfirmedTtlSeconds: number;
}

/**
 * Sessions by their id, each with its recent searches: newest first, a repeat moves to the front in
 * its newest spelling, the oldest drops out. Every change is atomic, so that concurrent searches are
 * all kept. Each method throws StoreUnavailableError when a shared store is unavailable.
 */
export interface Sessions {
  /** Keeps the data of a session, new or not, and adds a search. Its life begins anew. */
  save(id: string, data: SessionData, search?: Search, scope?: Scope): Promise<void>;
  /**
   * Confirms a session, whose cookie has come back, and adds a search, which begins its life anew. A
   * session that does not exist any more stays gone.
   * @returns when its cookie was issued, as `issuedAt`; undefined: there is no such session
   */
  record(id: string, search?: Search, scope?: Scope): Promise<number | undefined>;
  /** The searches of a session, whose cookie has come back: it is confirmed. */
  searches(id: string, scope?: Scope): Promise<RecentSearch[]>;
  /** Forgets the searches of a session. The session itself goes on. */
  clearSearches(id: string, scope?: Scope): Promise<void>;
}

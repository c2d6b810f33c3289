import type { Scope } from './scope.js';

/** One entry of a session's list, in the spelling of the search that put it there. */
export interface RecentSearch {
  city: string;
  country: string;
}

/** At most so many searches are kept for a session. */
export const MAX_RECENT_SEARCHES = 10;

/**
 * The recent searches of each session: newest first, a repeat moves to the front in its newest
 * spelling, the oldest drops out. Every change is atomic, so that concurrent searches are all kept.
 * Each method throws StoreUnavailableError when a shared store is away.
 */
export interface RecentSearches {
  /**
   * Adds a search and renews the life of the session and of its list.
   * @param placeKey the same for every spelling of one place
   */
  add(sessionId: string, placeKey: string, search: RecentSearch, scope?: Scope): Promise<void>;
  list(sessionId: string, scope?: Scope): Promise<RecentSearch[]>;
  clear(sessionId: string, scope?: Scope): Promise<void>;
}

/** What is kept of a session beside its searches. */
export interface SessionData {
  /** Unix time in milliseconds at which the session's cookie was last issued. */
  issuedAt: number;
}

/** Sessions by their id. Each method throws StoreUnavailableError when a shared store is away. */
export interface SessionStore {
  get(sessionId: string, scope?: Scope): Promise<SessionData | undefined>;
  set(sessionId: string, data: SessionData, scope?: Scope): Promise<void>;
  destroy(sessionId: string, scope?: Scope): Promise<void>;
}

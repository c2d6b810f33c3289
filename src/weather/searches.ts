import type { StoreTime } from './scope.js';

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

/** At most so many searches are kept for a session. */
export const MAX_RECENT_SEARCHES = 10;

/** A session, as the cookie of a request tells it. */
export interface Session {
  id: string;
  /** Unix time in milliseconds at which the cookie was issued. */
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
 * Recent searches by the session's id: newest first, a repeat moves to the front in its newest
 * spelling, the oldest drops out. Every change is atomic, so that concurrent searches are all kept. A
 * session without searches takes no space.
 */
export interface Sessions {
  /** Whether a search of a session can be kept now, as far as is known. Asks nobody. */
  canRecord(id: string): boolean;
  /**
   * Adds a search, which begins the life of the session anew, also of one that is gone. Without a
   * search, a session whose cookie has come back is given its long life. It never rejects, and what cannot
   * be kept within two seconds is dropped.
   * @returns resolves when it is on its way: whoever lists the searches after that, anywhere, finds it
   */
  record(session: Session, search?: Search): Promise<void>;
  /**
   * The searches of a session whose cookie has come back: it is given its long life.
   * @throws StoreUnavailableError
   */
  searches(id: string, scope?: StoreTime): Promise<RecentSearch[]>;
  /** Forgets the searches of a session. @throws StoreUnavailableError */
  clearSearches(id: string, scope?: StoreTime): Promise<void>;
}

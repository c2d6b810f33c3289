/** One entry of the recent searches, in the spelling of its newest search. */
export interface RecentSearch {
  city: string;
  country: string;
}

/** A search as a client makes it. */
export interface Search extends RecentSearch {
  /** Identifies the place: the same for every spelling of its name. */
  placeKey: string;
}

/** A search to which this process has responded with weather. */
export interface TimedSearch extends Search {
  /**
   * Time of the response, in integer microseconds of the monotonic clock. The store orders
   * searches by their age: the time that has passed since the response.
   */
  respondedAtUs: number;
}

export const MAX_RECENT_SEARCHES = 10;

/** A session, as the cookie of a request identifies it. */
export interface Session {
  id: string;
  /** Whether the client has returned the cookie at least once. */
  confirmed: boolean;
}

/** TTLs of a session in seconds: after its last search, and until its client returns the cookie. */
export interface SessionTtls {
  ttlSeconds: number;
  unconfirmedTtlSeconds: number;
}

/**
 * Recent searches by session ID: newest first by time of response, each place once in its newest
 * spelling, at most `MAX_RECENT_SEARCHES`. Recording is commutative and idempotent: the list
 * depends neither on the order in which recordings arrive nor on how often each arrives.
 */
export interface Sessions {
  /** Whether searches can be recorded now. Reads the state that is known; sends nothing. */
  canRecord(): boolean;
  /** Reports a search that is not recorded: no session can be created for its client now. */
  lost(): void;
  /**
   * Records a search, and creates the session or renews its TTL. Without a search, confirms a
   * session that exists. Resolves also without a reply; then retries in the background.
   */
  record(session: Session, search?: TimedSearch): Promise<void>;
  /**
   * Lists the recent searches of a session and confirms it.
   * @throws StoreUnavailableError if the store does not reply within a second
   */
  searches(id: string): Promise<RecentSearch[]>;
  /**
   * Removes a session. A later recording creates it again, so its client needs a new session ID.
   * @throws StoreUnavailableError if the store does not reply within a second, or is read-only
   */
  clearSearches(id: string): Promise<void>;
}

/**
 * Creates the source of `TimedSearch.respondedAtUs`. Each time is greater than the one before it.
 * @param monotonic the monotonic clock in milliseconds
 */
export function createResponseTimes(monotonic: () => number): () => number {
  let last = 0;
  return () => {
    last = Math.max(Math.round(monotonic() * 1000), last + 1);
    return last;
  };
}

import type { StoreTime } from '../weather/scope.js';

/** At most `limit` admissions in any interval of `windowMs`. */
export interface Window {
  /**
   * Windows with one key are one window, whatever their limits. On a cluster, windows that count
   * together need the same text in braces at the beginning of their keys.
   */
  key: string;
  /** At least 1. */
  limit: number;
  /** Milliseconds. */
  windowMs: number;
  /** The limit of this process alone, while the shared store is unavailable. At least 1. */
  share: number;
  /** The same at first, while that may be a hiccup. `share` where it is absent. */
  firstShare?: number;
}

/** What a window says to one request. */
export interface WindowState {
  /** Requests per window. */
  limit: number;
  /** Requests that would still be admitted now. */
  remaining: number;
  /** Milliseconds, rounded up, until the oldest counted request leaves; 0: nothing is counted. */
  resetMs: number;
}

/** What windows that count together say to one request. */
export interface Counted {
  /** Index of the first window that refused. Then none has counted the request. */
  refusedBy: number | undefined;
  /** One for each window. Undefined: not known, because another one refused. */
  states: (WindowState | undefined)[];
}

/** Sliding windows, counted together: a request counts in all of its windows or in none. */
export interface Windows {
  /**
   * Counts one request, or refuses it.
   * @param cost 1; or 0 to count nothing, and learn what the windows say now
   * @param time what a wait for a shared store takes from
   * @throws StoreUnavailableError
   */
  count(windows: readonly Window[], cost: 0 | 1, time?: StoreTime): Promise<Counted>;
}

/** The windows of this process alone. They are always there. */
export interface LocalWindows extends Windows {
  /** Begins windows anew. */
  forget(windows: readonly Window[]): void;
}

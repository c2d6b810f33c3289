/**
 * Most instants that a window keeps for one key. Above this limit, each of them stands for a group of
 * admissions, which leave the window together with the last of them: later than alone, never earlier.
 */
export const MAX_INSTANTS_PER_KEY = 500;

/** At most `limit` admissions in any interval of the window's length. */
export interface WindowSettings {
  /** At least 1. */
  limit: number;
  /** Milliseconds. */
  windowMs: number;
}

/** What a window says to one request. */
export interface WindowState {
  /** Requests per window. */
  limit: number;
  /** Requests that would still be admitted now. */
  remaining: number;
  /** Milliseconds, rounded up, until the oldest counted request leaves the window. */
  resetMs: number;
}

/** What a window says to one request that it alone decides. */
export interface Counted extends WindowState {
  admitted: boolean;
}

/** One window for each key, in this process alone. */
export interface LocalWindow {
  /** What `count` would say now. Counts nothing; `resetMs` is 0 while nothing is counted. */
  look(key: string): Counted;
  /** Counts one request, or refuses it. */
  count(key: string): Counted;
}

/** How many admissions share one instant. */
export function groupSize(limit: number): number {
  return Math.ceil(limit / MAX_INSTANTS_PER_KEY);
}

import type { Fetched } from './request.js';

/**
 * How many places a process keeps the weather of. It also remembers how so many were asked for, and what the gazetteer
 * said of them: with fewer, a hit would read its query and look for its place again.
 */
export const MAX_NEAR_PLACES = 20_000;

/** How long a fetched value is fresh, and for how long after that it may answer when all fails. */
export interface Life {
  freshMs: number;
  staleMs: number;
}

/** A cached value. Times are milliseconds of this process's monotonic clock. */
export interface Cached {
  value: Fetched;
  /** The fetch that brought it. */
  fetchId: string;
  fetchedAt: number;
  freshUntil: number;
  staleUntil: number;
}

/**
 * This process's own entries by request key: bounded, and asked without waiting. Alone it is the
 * whole cache; beside a shared store it holds copies. An entry past its stale life does not exist.
 */
export interface NearCache {
  peek(key: string): Cached | undefined;
  put(key: string, entry: Cached): void;
}

/** An entry whose life begins now, for a value that a provider gave `ageMs` ago. */
export function cachedNow(
  value: Fetched,
  life: Life,
  now: number,
  fetchId: string,
  ageMs = 0,
): Cached {
  const freshUntil = now + life.freshMs;
  const staleUntil = freshUntil + life.staleMs;
  return { value, fetchId, fetchedAt: now - ageMs, freshUntil, staleUntil };
}

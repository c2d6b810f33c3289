import type { Supplied } from './types.js';

/**
 * Maximum number of places in one process that are expected to be in demand: of parsed queries and of results of the
 * gazetteer that it remembers. With fewer, a hit would parse its query and search its place again.
 */
export const MAX_NEAR_ENTRIES = 20_000;

/**
 * Milliseconds for which a value is fresh, and further milliseconds in which it may be served if a fetch fails
 * (stale-if-error).
 */
export interface Ttl {
  freshMs: number;
  staleMs: number;
}

/** A value, and the upstream service that supplied it. */
export interface Fetched<Value> extends Supplied<Value> {
  provider: string;
}

/** A cached value. Times are milliseconds of this process's monotonic clock. */
export interface Cached<Value> {
  value: Value;
  /** The upstream that supplied the value. */
  provider: string;
  /** The fetch that supplied it. */
  fetchId: string;
  fetchedAt: number;
  freshUntil: number;
  staleUntil: number;
  /** The provider forbids another call before this time, so there is no refresh-ahead. */
  noFetchUntil?: number | undefined;
}

/**
 * This process's own entries by key (`keyOf` in `kind.ts`): bounded, and read without waiting. In a process without Redis
 * it is the whole cache; beside Redis it holds copies. An entry past `staleUntil` does not exist. The key of an entry
 * begins with the name of its kind, so its value is one of that kind.
 */
export interface NearCache {
  peek(key: string): Cached<unknown> | undefined;
  put(key: string, entry: Cached<unknown>): void;
}

/** An entry for a value that was fetched now. Its stale period starts when it is no longer fresh. */
export function cachedNow<Value>(
  { value, provider, freshForMs }: Fetched<Value>,
  { freshMs, staleMs }: Ttl,
  now: number,
  fetchId: string,
): Cached<Value> {
  const freshUntil = now + Math.max(freshMs, freshForMs ?? freshMs);
  const staleUntil = freshUntil + staleMs;
  const noFetchUntil = freshForMs === undefined ? undefined : now + freshForMs;
  return { value, provider, fetchId, fetchedAt: now, freshUntil, staleUntil, noFetchUntil };
}

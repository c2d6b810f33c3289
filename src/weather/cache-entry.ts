import type { Clock, UpstreamValue } from './types.js';

/** Milliseconds for which a value is fresh, and then may be served stale (stale-if-error). */
export interface Ttl {
  freshMs: number;
  staleMs: number;
}

/** A TTL whose times end after `wholeMs` at the latest. */
export function ttlWithin({ freshMs, staleMs }: Ttl, wholeMs: number): Ttl {
  const fresh = Math.min(freshMs, wholeMs);
  return { freshMs: fresh, staleMs: Math.min(staleMs, wholeMs - fresh) };
}

export interface AttributedValue<Value> extends UpstreamValue<Value> {
  provider: string;
}

/** A cached value. Times are milliseconds of the monotonic clock, except `referenceTime`. */
export interface CacheEntry<Value> {
  value: Value;
  provider: string;
  fetchId: string;
  /** When the call that supplied the value was sent. */
  fetchedAt: number;
  /** Reference time at `fetchedAt`, in milliseconds since the Unix epoch: see `UpstreamValue`. */
  referenceTime?: number | undefined;
  freshUntil: number;
  staleUntil: number;
  /** The provider forbids another call before this time, so there is no refresh-ahead. */
  noFetchUntil?: number | undefined;
}

/**
 * The entries of this process by key (`keyOf` in `kind.ts`): bounded, and read without waiting.
 * Without Redis, this is the whole cache. With Redis, it holds copies. An entry past `staleUntil`
 * does not exist. A key begins with the name of its kind, so its value is of that kind.
 */
export interface NearCache {
  peek(key: string): CacheEntry<unknown> | undefined;
  /** Keeps the entry, unless there is one that was fetched later. */
  put(key: string, entry: CacheEntry<unknown>): void;
}

/**
 * An entry for a value that was fetched. Its stale period starts when it is no longer fresh.
 * @param fetchedAt when the call was sent (RFC 9111, 4.2.3): a stopped process reads responses late
 */
export function cachedSince<Value>(
  { value, provider, referenceTime, freshForMs }: AttributedValue<Value>,
  { freshMs, staleMs }: Ttl,
  fetchedAt: number,
  fetchId: string,
): CacheEntry<Value> {
  const freshUntil = fetchedAt + Math.max(freshMs, freshForMs ?? freshMs);
  const staleUntil = freshUntil + staleMs;
  const noFetchUntil = freshForMs === undefined ? undefined : fetchedAt + freshForMs;
  return {
    value,
    provider,
    fetchId,
    fetchedAt,
    referenceTime,
    freshUntil,
    staleUntil,
    noFetchUntil,
  };
}

/**
 * Returns the current time in milliseconds since the Unix epoch, by the clock for which the fetched
 * value was current: of the provider, or of this process. The two may differ by days.
 */
export function referenceTimeOf(
  { referenceTime, fetchedAt }: Pick<CacheEntry<unknown>, 'referenceTime' | 'fetchedAt'>,
  clock: Clock,
): number {
  return referenceTime === undefined ? clock.now() : referenceTime + clock.monotonic() - fetchedAt;
}

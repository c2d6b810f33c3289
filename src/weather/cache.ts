import type { Fetched } from './request.js';
import type { Scope } from './scope.js';

/** How long a fetched value is fresh, and for how long after that it may answer when all fails. */
export interface Life {
  freshMs: number;
  staleMs: number;
}

/** A cached value. Times are milliseconds of this process's monotonic clock. */
export interface Cached {
  value: Fetched;
  fetchedAt: number;
  freshUntil: number;
  staleUntil: number;
  /** Which order for a fetch brought it: tells who caused a fetch from who found its end. */
  cause?: string | undefined;
}

/**
 * Fetched values by request key. An entry past its stale life does not exist.
 * The life is exact from the fetch on, whoever reads.
 */
export interface Cache {
  /** @throws StoreUnavailableError when a shared store is away */
  get(key: string, scope?: Scope): Promise<Cached | undefined>;
  /** @throws StoreUnavailableError when a shared store is away or takes no writes */
  set(key: string, entry: Cached, scope?: Scope): Promise<void>;
}

/** An entry for a value that was fetched just now. */
export function cachedNow(value: Fetched, life: Life, now: number): Cached {
  const freshUntil = now + life.freshMs;
  return { value, fetchedAt: now, freshUntil, staleUntil: freshUntil + life.staleMs };
}

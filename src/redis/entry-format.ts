import type { Cached } from '../weather/cache-entry.js';
import type { Kind } from '../weather/kind.js';
import { isObject } from '../is-object.js';
import { isDuration } from './values.js';

/** Returns an entry as an object for JSON. How long it still exists is the TTL of its key: only the clock of Redis counts. */
export function storedEntry(entry: Cached<unknown>): object {
  const { value, provider, fetchId, fetchedAt, freshUntil, staleUntil, noFetchUntil } = entry;
  const presentAt = entry.presentAt && Math.round(entry.presentAt);
  const freshMs = Math.round(freshUntil - fetchedAt);
  const staleMs = Math.round(staleUntil - freshUntil);
  const noFetchMs = noFetchUntil && Math.round(noFetchUntil - fetchedAt);
  return { value, provider, fetchId, presentAt, freshMs, staleMs, noFetchMs };
}

/**
 * Reads an entry from untrusted JSON. Returns undefined if it is not an entry of this kind.
 * @param ttlMs how long the entry still existed at the monotonic time `now`
 */
export function readEntry<Value>(
  kind: Pick<Kind<unknown, Value>, 'isValue'>,
  json: unknown,
  ttlMs: number,
  now: number,
): Cached<Value> | undefined {
  const parts = isObject(json) ? json : {};
  const { value, provider, fetchId, presentAt, freshMs, staleMs, noFetchMs = 0 } = parts;
  if (!kind.isValue(value) || !isName(provider) || !isName(fetchId)) return undefined;
  if (!isDuration(freshMs) || !isDuration(staleMs) || !isDuration(noFetchMs)) return undefined;
  // Milliseconds since the epoch are a duration, too.
  if (presentAt !== undefined && !isDuration(presentAt)) return undefined;
  // Otherwise it would come from the future. One millisecond is for rounding.
  if (!(ttlMs <= freshMs + staleMs + 1)) return undefined;
  const staleUntil = now + ttlMs;
  const freshUntil = staleUntil - staleMs;
  const fetchedAt = freshUntil - freshMs;
  const noFetchUntil = fetchedAt + noFetchMs;
  const times = { fetchedAt, presentAt, freshUntil, staleUntil, noFetchUntil };
  return { value, provider, fetchId, ...times };
}

/** Whether a value can be a fetch ID, or the name of a provider in a response header. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{1,100}$/.test(value) && !(value in {});
}

import type { CacheEntry, Ttl } from '../weather/cache-entry.js';
import { HOUR_MS } from '../weather/time/durations.js';
import type { ValueKind } from '../weather/kinds/kind.js';
import { isInstant } from '../weather/time/local-time.js';
import { isDuration, readUntrusted } from './values.js';

/**
 * Returns an entry as an object for JSON. `presentAt` is its reference time. How long it still exists is the TTL of its key:
 * only the clock of Redis counts.
 */
export function storedEntry(entry: CacheEntry<unknown>): object {
  const { value, provider, fetchId, fetchedAt, freshUntil, staleUntil, noFetchUntil } = entry;
  const presentAt = entry.referenceTime && Math.round(entry.referenceTime);
  const freshMs = Math.round(freshUntil - fetchedAt);
  const staleMs = Math.round(staleUntil - freshUntil);
  const noFetchMs = noFetchUntil && Math.round(noFetchUntil - fetchedAt);
  return { value, provider, fetchId, presentAt, freshMs, staleMs, noFetchMs };
}

/** Milliseconds for which a provider may forbid another call (`Expires` of MET Norway). Bounds that of a damaged entry. */
const MAX_NO_FETCH_MS = 6 * HOUR_MS;

/**
 * Reads an entry from untrusted JSON. No duration is longer than the configuration allows.
 * @param ttlMs how long the entry still existed at the monotonic time `now`
 * @returns undefined if it is not an entry of this kind, or if it has expired
 */
export function readEntry<Value>(...of: Parameters<typeof entryOf<Value>>) {
  return readUntrusted(() => entryOf(...of));
}

function entryOf<Value>(
  kind: Pick<ValueKind<Value>, 'readValue'>,
  ttlOf: (value: Value, referenceTime: number | undefined) => Ttl,
  json: unknown,
  ttlMs: number,
  now: number,
): CacheEntry<Value> | undefined {
  const stored = json as Record<string, unknown>;
  const { provider, fetchId, presentAt: referenceTime, freshMs, staleMs, noFetchMs = 0 } = stored;
  const value = kind.readValue(stored['value']);
  if (value === undefined || !isName(provider) || !isName(fetchId)) return undefined;
  if (!isDuration(freshMs) || !isDuration(staleMs) || !isDuration(noFetchMs)) return undefined;
  if (referenceTime !== undefined && !isInstant(referenceTime)) return undefined;
  // Otherwise the entry would have been fetched in the future. One millisecond covers rounding errors.
  if (!(ttlMs <= freshMs + staleMs + 1)) return undefined;
  const fetchedAt = now + ttlMs - staleMs - freshMs;
  const longest = ttlOf(value, referenceTime);
  if (longest.freshMs <= 0) return undefined;
  const pauseMs = Math.min(noFetchMs, MAX_NO_FETCH_MS);
  const freshUntil = fetchedAt + Math.min(freshMs, Math.max(longest.freshMs, pauseMs));
  const staleUntil = freshUntil + Math.min(staleMs, longest.staleMs);
  // Also after damaged durations: an age of thousands of years has no valid date.
  if (staleUntil <= now) return undefined;
  const noFetchUntil = fetchedAt + pauseMs;
  const times = { fetchedAt, referenceTime, freshUntil, staleUntil, noFetchUntil };
  return { value, provider, fetchId, ...times };
}

/** Whether a value can be a fetch ID, or the name of a provider in a response header. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{1,100}$/.test(value) && !(value in {});
}

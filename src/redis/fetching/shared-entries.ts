import type { CacheEntry } from '../../weather/cache-entry.js';
import { HOUR_MS } from '../../weather/time/durations.js';
import type { Kinds, Registration } from '../../weather/fetch.js';
import type { Kind } from '../../weather/kinds/kind.js';
import { isInstant } from '../../weather/time/local-time.js';
import { readScript, replyOf } from '../client/script.js';
import { PATIENT_MS } from '../client/timing.js';
import { isDuration, isName, MAX_STORED_BYTES, parseJson, readUntrusted } from '../untrusted.js';
import type { FetchEnd, MessageRouter } from './fetch-messages.js';
import type { FetchingOptions } from './fetching-options.js';

/**
 * Returns an entry as an object for JSON. `presentAt` is its reference time. The TTL of its key
 * says how long it still exists, so only the Redis clock counts.
 */
export function storedEntry(entry: CacheEntry<unknown>): object {
  const { value, provider, fetchId, fetchedAt, freshUntil, staleUntil, noFetchUntil } = entry;
  const presentAt = entry.referenceTime && Math.round(entry.referenceTime);
  const freshMs = Math.round(freshUntil - fetchedAt);
  const staleMs = Math.round(staleUntil - freshUntil);
  const noFetchMs = noFetchUntil && Math.round(noFetchUntil - fetchedAt);
  return { value, provider, fetchId, presentAt, freshMs, staleMs, noFetchMs };
}

/** Milliseconds for which `Expires` of MET Norway may forbid calls. Bounds a damaged entry's. */
const MAX_NO_FETCH_MS = 6 * HOUR_MS;

/**
 * Reads an entry from untrusted JSON. No duration is longer than the configuration allows.
 * @param source the registration of the kind
 * @param ttlMs how long the entry still existed at the monotonic time `now`
 * @returns undefined if it is not an entry of this kind, or if it has expired
 */
export function readEntry<Value>(
  source: Pick<Registration<unknown, Value>, 'kind' | 'ttlOf'>,
  json: unknown,
  ttlMs: number,
  now: number,
): CacheEntry<Value> | undefined {
  return readUntrusted(() => {
    const stored = json as Record<string, unknown>;
    const { provider, fetchId, presentAt: referenceTime, freshMs, staleMs, noFetchMs = 0 } = stored;
    const value = source.kind.readValue(stored['value']);
    if (value === undefined || !isName(provider) || !isName(fetchId)) return undefined;
    if (!isDuration(freshMs) || !isDuration(staleMs) || !isDuration(noFetchMs)) return undefined;
    if (referenceTime !== undefined && !isInstant(referenceTime)) return undefined;
    // A longer TTL means a fetch in the future. One millisecond covers rounding errors.
    if (!(ttlMs <= freshMs + staleMs + 1)) return undefined;
    const fetchedAt = now + ttlMs - staleMs - freshMs;
    const longest = source.ttlOf(value, referenceTime);
    if (longest.freshMs <= 0) return undefined;
    const pauseMs = Math.min(noFetchMs, MAX_NO_FETCH_MS);
    const freshUntil = fetchedAt + Math.min(freshMs, Math.max(longest.freshMs, pauseMs));
    const staleUntil = freshUntil + Math.min(staleMs, longest.staleMs);
    // A damaged duration can also mean an age of thousands of years, which no date can express.
    if (staleUntil <= now) return undefined;
    const noFetchUntil = fetchedAt + pauseMs;
    const times = { fetchedAt, referenceTime, freshUntil, staleUntil, noFetchUntil };
    return { value, provider, fetchId, ...times };
  });
}

export type SharedEntries = ReturnType<typeof createSharedEntries>;

/** The shared cache. Every method that sends a command throws StoreUnavailableError. */
export function createSharedEntries(
  { redis, names, clock }: Pick<FetchingOptions, 'redis' | 'names' | 'clock'>,
  messages: Pick<MessageRouter, 'end'>,
  kinds: Kinds,
) {
  const isEntry = replyOf('string', 'number', 'number');
  const entryScript = redis.script('weatherEntryRead', readScript('typed', 'entry-read'), isEntry);
  const finishScript = redis.script(
    'weatherFetchFinish',
    readScript('typed', 'fetch-finish'),
    replyOf(),
  );

  return {
    /** Whether an entry is fresh, and remains so for longer than `forMs` milliseconds. */
    isFresh: <Value>(entry: CacheEntry<Value> | undefined, forMs = 0): entry is CacheEntry<Value> =>
      entry !== undefined && entry.freshUntil - clock.monotonic() > forMs,
    /**
     * Reads an entry, fresh or stale. `redisMs` is the clock of the key's Redis node, in
     * milliseconds since the Unix epoch: ages of jobs are differences of it.
     */
    async read<Value>({ name }: Kind<unknown, Value>, key: string, waitMs?: number) {
      const [text, ttlMs, redisMs] = await entryScript(
        [names.entry(key)],
        [MAX_STORED_BYTES],
        waitMs,
      );
      // Most misses. Exceptions from an empty text and an absent object would take 4 % of a miss.
      if (text === '') return { entry: undefined, redisMs };
      const source = kinds.get(name) as Registration<unknown, Value>;
      return { entry: readEntry(source, parseJson(text), ttlMs, clock.monotonic()), redisMs };
    },
    /** Ends a fetch: informs this process's requests, stores the entry, and publishes a message. */
    async finish(key: string, end: FetchEnd): Promise<void> {
      const message = messages.end(key, end);
      const entry = end.result && 'entry' in end.result ? end.result.entry : undefined;
      const text = entry ? JSON.stringify(storedEntry(entry)) : '';
      const args = () => {
        const now = clock.monotonic();
        const ttlMs = entry ? Math.max(0, Math.floor(entry.staleUntil - now)) : 0;
        const ageMs = entry ? Math.round(now - entry.fetchedAt) : 0;
        return [names.fetchMessages, message, ttlMs, text, ageMs, MAX_STORED_BYTES];
      };
      await finishScript([names.entry(key)], args, PATIENT_MS).catch((error: unknown) => {
        if (entry) redis.lost('entry');
        throw error;
      });
    },
  };
}

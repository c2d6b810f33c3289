import type { CacheEntry } from '../../weather/cache-entry.js';
import type { Kinds, ValueKind } from '../../weather/kinds/kind.js';
import { readScript, replyOf } from '../client/script.js';
import { PATIENT_MS } from '../client/timing.js';
import { readEntry, storedEntry } from '../entry-format.js';
import { MAX_STORED_BYTES, parseJson } from '../values.js';
import { messageText, type FetchMessage } from './fetch-messages.js';
import type { FetchingOptions } from './index.js';

export type SharedEntries = ReturnType<typeof createSharedEntries>;

interface SharedEntry<Value> {
  /** Fresh or stale. */
  entry: CacheEntry<Value> | undefined;
  /** The clock of the Redis node of the key, in milliseconds since the Unix epoch. Ages of jobs are differences of it. */
  redisMs: number;
}

/** The shared cache. Every method that sends a command throws StoreUnavailableError. */
export function createSharedEntries(
  { redis, names, clock }: Pick<FetchingOptions, 'redis' | 'names' | 'clock'>,
  kinds: Kinds,
) {
  const isEntry = replyOf('string', 'number', 'number');
  const read = redis.script('weatherEntryRead', readScript('typed', 'entry-read'), isEntry);
  const finish = redis.script('weatherFetchFinish', readScript('fetch-finish'), replyOf());

  function entryIn<Value>(kind: ValueKind<Value>, json: unknown, ttlMs: number) {
    const ttlOf = (value: Value, referenceTime: number | undefined) =>
      kinds.ttlOf(kind, value, referenceTime);
    return readEntry(kind, ttlOf, json, ttlMs, clock.monotonic());
  }

  return {
    /** Whether an entry is fresh, and remains so for longer than `forMs` milliseconds. */
    isFresh: <Value>(entry: CacheEntry<Value> | undefined, forMs = 0): entry is CacheEntry<Value> =>
      entry !== undefined && entry.freshUntil - clock.monotonic() > forMs,
    async read<Value>(
      kind: ValueKind<Value>,
      key: string,
      waitMs?: number,
    ): Promise<SharedEntry<Value>> {
      const [text, ttlMs, redisMs] = await read([names.entry(key)], [MAX_STORED_BYTES], waitMs);
      return { entry: entryIn(kind, parseJson(text), ttlMs), redisMs };
    },
    /** The entry in a message, which is untrusted. */
    published: <Value>(
      kind: ValueKind<Value>,
      { entry, ttlMs = 0 }: FetchMessage,
    ): CacheEntry<Value> | undefined => entryIn(kind, entry, ttlMs),
    /** Stores the entry of a fetch, if there is one, and publishes the end of the fetch. */
    async finish(end: FetchMessage, entry?: CacheEntry<unknown>): Promise<void> {
      const stored = entry && storedEntry(entry);
      const ttlMs = entry ? Math.max(0, Math.floor(entry.staleUntil - clock.monotonic())) : 0;
      const message = messageText({ ...end, entry: stored, ttlMs });
      const text = JSON.stringify(stored ?? null);
      const args = [names.fetchMessages, message, ttlMs, text];
      await finish([names.entry(end.key)], args, PATIENT_MS).catch((error: unknown) => {
        if (entry) redis.lost('entry');
        throw error;
      });
    },
  };
}

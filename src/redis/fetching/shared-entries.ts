import type { CacheEntry } from '../../weather/cache-entry.js';
import type { Kinds, ValueKind } from '../../weather/kind.js';
import type { SendOptions } from '../client/guarded-redis.js';
import { LOCK_MS } from '../client/timing.js';
import { readEntry, storedEntry } from '../entry-format.js';
import { MAX_STORED_BYTES, parseObject, replyOf } from '../values.js';
import { messageText, type FetchMessage } from './fetch-messages.js';
import type { FetchingOptions } from './fetching-parts.js';

/**
 * KEYS: entry, lock. ARGV: the fetch that takes the lock if it is free, or renews it; '' only reads. A lock without a
 * valid TTL was not written by this service, and counts as free. Replies: text and TTL of the entry, 1 if another fetch has the lock, the clock of Redis in
 * milliseconds.
 */
const READ = `
local ttl = redis.call('PTTL', KEYS[2])
local isLocked = ttl > 0 and ttl <= ${LOCK_MS} and redis.pcall('GET', KEYS[2]) ~= ARGV[1]
if ARGV[1] ~= '' and not isLocked then redis.call('SET', KEYS[2], ARGV[1], 'PX', ${LOCK_MS}) end
local size, text = redis.pcall('STRLEN', KEYS[1]), ''
if type(size) == 'number' and size > 0 and size <= ${MAX_STORED_BYTES} then text = redis.call('GET', KEYS[1]) end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return {ARGV[#ARGV], text, redis.call('PTTL', KEYS[1]), isLocked and 1 or 0, now}`;

/**
 * KEYS: entry, lock. ARGV: channel, message, TTL and text of the entry, the fetch. With a TTL of 0 the entry is not
 * stored. Only the fetch that has the lock releases it.
 */
const FINISH = `
if tonumber(ARGV[3]) > 0 then redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[3]) end
if redis.pcall('GET', KEYS[2]) == ARGV[5] then redis.call('DEL', KEYS[2]) end
redis.call('PUBLISH', ARGV[1], ARGV[2])
return {ARGV[#ARGV]}`;

export type SharedEntries = ReturnType<typeof createSharedEntries>;

/** What is known about a key in Redis. */
export interface SharedEntry<Value> {
  /** The entry, fresh or stale. */
  entry: CacheEntry<Value> | undefined;
  /** Whether another fetch has the lock of the key. */
  isLocked: boolean;
  /** The clock of the Redis node of the key, in milliseconds since the Unix epoch. Ages of jobs are differences of it. */
  redisMs: number;
}

/** The shared cache, with a lock for each key. Every method that sends a command throws StoreUnavailableError. */
export function createSharedEntries(
  { redis, names, clock }: Pick<FetchingOptions, 'redis' | 'names' | 'clock'>,
  kinds: Kinds,
) {
  const isEntry = replyOf('string', 'number', 'number', 'number');
  const readScript = redis.script('weatherEntryRead', READ, isEntry);
  const finishScript = redis.script('weatherFetchFinish', FINISH, replyOf());
  const keysOf = (key: string) => [names.entry(key), names.lock(key)];

  function entryIn<Value>(kind: ValueKind<Value>, json: unknown, ttlMs: number) {
    const ttlOf = (value: Value, presentAt: number | undefined) =>
      kinds.ttlOf(kind, value, presentAt);
    return readEntry(kind, ttlOf, json, ttlMs, clock.monotonic());
  }

  return {
    /** Whether an entry is fresh, and remains so for longer than `forMs` milliseconds. */
    isFresh: <Value>(entry: CacheEntry<Value> | undefined, forMs = 0): entry is CacheEntry<Value> =>
      entry !== undefined && entry.freshUntil - clock.monotonic() > forMs,
    /** Reads an entry, fresh or stale. With `lockFor`, that fetch takes or renews the lock of the key unless it `isLocked`. */
    async read<Value>(
      kind: ValueKind<Value>,
      key: string,
      { lockFor = '', ...options }: SendOptions & { lockFor?: string } = {},
    ): Promise<SharedEntry<Value>> {
      const reply = await readScript(keysOf(key), [lockFor], options);
      const [text, ttlMs, isLocked, redisMs] = reply;
      return {
        entry: entryIn(kind, parseObject(text), ttlMs),
        isLocked: isLocked === 1,
        redisMs,
      };
    },
    /** The entry in a message, which is untrusted. */
    published: <Value>(
      kind: ValueKind<Value>,
      { entry, ttlMs = 0 }: FetchMessage,
    ): CacheEntry<Value> | undefined => entryIn(kind, entry, ttlMs),
    /** Stores the entry of a fetch, if there is one, releases the lock, and publishes the end of the fetch. */
    async finish(end: FetchMessage, entry?: CacheEntry<unknown>): Promise<void> {
      const stored = entry && storedEntry(entry);
      const ttlMs = entry ? Math.max(0, Math.floor(entry.staleUntil - clock.monotonic())) : 0;
      const message = messageText({ ...end, entry: stored, ttlMs });
      const text = JSON.stringify(stored ?? null);
      const args = [names.fetchMessages, message, ttlMs, text, end.fetchId];
      await finishScript(keysOf(end.key), args, { patient: true });
    },
  };
}

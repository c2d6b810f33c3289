import type { Cached } from '../../weather/cache.js';
import type { Kind } from '../../weather/kind.js';
import type { SendOptions } from '../client/port.js';
import { entryText, readEntry } from './entry-format.js';
import type { Parts } from './index.js';
import { messageText, type FetchMessage } from './messages.js';

/**
 * TTL of a lock in milliseconds. It is renewed while the fetch runs. Longer: requests wait longer after the process that
 * fetches has died. Shorter: a delay of Redis lets a second process fetch the key.
 */
export const LOCK_MS = 4000;

/**
 * KEYS: entry, lock. ARGV: the fetch that takes or renews the lock; '' only reads. A lock without a valid TTL was not
 * written by this service. Replies: text and TTL of the entry, the fetch that has the lock.
 */
const READ = `
local holder, ttl = redis.pcall('GET', KEYS[2]), redis.call('PTTL', KEYS[2])
if type(holder) ~= 'string' or ttl <= 0 or ttl > ${LOCK_MS} then holder = '' end
if ARGV[1] ~= '' and (holder == '' or holder == ARGV[1]) then
  redis.call('SET', KEYS[2], ARGV[1], 'PX', ${LOCK_MS})
  holder = ARGV[1]
end
local text = redis.pcall('GET', KEYS[1])
return {type(text) == 'string' and text or '', redis.call('PTTL', KEYS[1]), holder}`;

/**
 * KEYS: entry, lock. ARGV: fetch, text and TTL of the entry ('' for none), channel, message. Does nothing if another
 * fetch has the lock. Publishes the message even if Redis refuses the writes.
 */
const FINISH = `
local holder = redis.pcall('GET', KEYS[2])
if type(holder) == 'string' and holder ~= ARGV[1] then return 0 end
local replies = {redis.pcall('PUBLISH', ARGV[4], ARGV[5]), redis.pcall('DEL', KEYS[2])}
if ARGV[2] ~= '' then replies[3] = redis.pcall('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
for _, reply in ipairs(replies) do
  if type(reply) == 'table' and reply.err then return reply end
end
return 1`;

/** What Redis holds for a key. */
export interface EntryState<Value> {
  /** Fresh or stale. */
  entry?: Cached<Value> | undefined;
  /** The fetch that has the lock: it is in flight. '' if there is none. */
  runningFetchId: string;
}

export type SharedEntries = ReturnType<typeof createSharedEntries>;

/** The shared cache, with a lock for each key. Every method throws StoreUnavailableError. */
export function createSharedEntries({ store, names, clock }: Parts) {
  const readScript = store.script('weatherEntryRead', READ);
  const finishScript = store.script('weatherFetchFinish', FINISH);
  const keysOf = (key: string) => [names.entry(key), names.lock(key)];

  return {
    /** Reads entry and lock. With `fetchId`, that fetch takes the lock if it is free, or renews it. */
    async read<Value>(
      kind: Pick<Kind<unknown, Value>, 'isValue'>,
      key: string,
      fetchId = '',
      options?: SendOptions,
    ): Promise<EntryState<Value>> {
      const reply = await readScript(keysOf(key), [fetchId], options);
      const [text, ttlMs, runningFetchId] = reply as [string, number, string];
      return { entry: readEntry(kind, text, ttlMs, clock.monotonic()), runningFetchId };
    },
    /** Stores the entry of a fetch if it has one, releases its lock, and publishes its end. */
    async finish(message: FetchMessage): Promise<void> {
      const { key, fetchId, entry } = message;
      const ttlMs = entry ? Math.floor(entry.staleUntil - clock.monotonic()) : 0;
      const text = entry && ttlMs > 0 ? entryText(entry) : '';
      const args = [fetchId, text, ttlMs, names.fetchMessages, messageText(message, ttlMs)];
      await finishScript(keysOf(key), args, { patient: true });
    },
  };
}

import type { Cached } from '../../weather/cache.js';
import { STORE_TIME_MS, type StoreTime } from '../../weather/scope.js';
import type { Clock } from '../../weather/types.js';
import type { RedisStore } from '../client/store.js';
import type { Names } from '../names.js';
import { readFailure, type End, type Failure } from './announcements.js';
import { parseObject } from '../values.js';
import { entryText, readEntry } from './entry.js';

/**
 * A replica runs a fetch itself that has been queued for so long. Doubled: a cold place waits 4 s
 * instead of 2 for a worker that has died within the last seconds.
 */
export const PICK_UP_MS = 2000;
/** Without a renewal for so long the runner is dead. Doubled: its waiters wait 6 s instead of 3. */
export const LEASE_MS = 3000;
/** A queued fetch without a waiter ends. Doubled: a worker may fetch what nobody needs any more. */
export const INTEREST_MS = 15_000;
/**
 * A failure is kept for so long, for waiters that missed its announcement, and answers with what is
 * stale. Doubled: `STALE` for 2 s longer.
 */
const FAILED_MS = 2000;

/** A write that Redis refuses is no error of the script: its reply says so. */
const WRITE = `
local refused
local function write(...)
  local reply = redis.pcall(...)
  if type(reply) == 'table' and reply.err then refused = reply.err end
end`;

/**
 * KEYS: entry, record. ARGV: those of `Question`, '' for what is undefined; before its runner 'no entry'
 * when the caller cannot read it. Replies: what is found, the fetch's id, the entry's text and life, the
 * failure's text or why a write was refused.
 */
const ASK = `${WRITE}
local newId, runAfter, freshFor = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local entry, life = redis.pcall('GET', KEYS[1]), redis.call('PTTL', KEYS[1])
if type(entry) ~= 'string' or life <= 0 or ARGV[4] == 'no entry' then entry = false end
local staleMs = entry and tonumber(string.match(entry, '^%d+'))
if staleMs and life - staleMs > freshFor then return {'entry', '', entry, life} end

local record = redis.pcall('HMGET', KEYS[2], 'id', 'state', 'queued', 'failure', 'runner')
local id, state, queuedAt = record[1], record[2], tonumber(record[3] or '')
local remaining = redis.call('PTTL', KEYS[2])
if not id or remaining <= 0 or remaining > ${INTEREST_MS} then state = 'none' end
if state == 'running' then
  -- Whoever was given the run, and did not hear so, may ask again.
  return {ARGV[5] ~= '' and record[5] == ARGV[5] and 'run' or state, id, entry, life}
end
if state == 'failed' and (newId == '' or entry) then return {state, id, entry, life, record[4]} end
local isNew = state ~= 'queued'
if isNew and newId == '' then return {'none', '', entry, life} end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if isNew then
  id, queuedAt = newId, now
  write('DEL', KEYS[2])
end
-- Redis's clock was set back: nobody can say for how long it has been queued.
if not queuedAt or queuedAt > now then queuedAt = now - ${PICK_UP_MS} end
local runs = runAfter and now - queuedAt >= runAfter
write('HSET', KEYS[2], 'id', id, 'state', runs and 'running' or 'queued', 'queued', queuedAt,
  'runner', ARGV[5])
write('PEXPIRE', KEYS[2], runs and ${LEASE_MS} or ${INTEREST_MS})
state = refused and 'alone' or runs and 'run' or isNew and 'new' or 'queued'
return {state, id, entry, life, refused}`;

/** Only the holder of the record may go on. `held`: the fetch of this id is queued or running. */
const HOLD = `
local record = redis.pcall('HMGET', KEYS[#KEYS], 'id', 'state')
local held = record[1] == ARGV[1] and record[2] ~= 'failed'
if not held then return 0 end`;

/** KEYS: record. ARGV: id. Replies: 0 when the run has lost its record, or why a write was refused. */
const RENEW = `${WRITE}${HOLD}
write('HSET', KEYS[1], 'state', 'running')
write('PEXPIRE', KEYS[1], ${LEASE_MS})
return refused or 1`;

/**
 * KEYS: entry, record. ARGV: id, channel, head of the announcement, the entry's text ('' for none) and
 * life (ms), failure ('' for none), the state that it must be in ('' for any). Replies as RENEW does. A
 * process that was frozen must not write an old entry over a newer one when it wakes up, nor fail what
 * others do by now. Those who wait are told also when Redis takes no writes.
 */
const END = `${WRITE}${HOLD}
if ARGV[7] ~= '' and record[2] ~= ARGV[7] then return 0 end
if ARGV[4] ~= '' and tonumber(ARGV[5]) > 0 then write('SET', KEYS[1], ARGV[4], 'PX', ARGV[5]) end
write('DEL', KEYS[2])
if ARGV[6] ~= '' then
  write('HSET', KEYS[2], 'id', ARGV[1], 'state', 'failed', 'failure', ARGV[6])
  write('PEXPIRE', KEYS[2], ${FAILED_MS})
end
write('PUBLISH', ARGV[2], ARGV[3] .. '\\n' .. ARGV[5] .. '\\n' .. ARGV[4])
return refused or 1`;

export interface Question {
  /** The id of the fetch that the question begins when there is none; undefined: it begins none. */
  newId: string | undefined;
  /**
   * A fetch that has been queued for so long, in milliseconds, is given to the caller to run; with
   * 0, one that the question begins is too. Undefined: the caller runs none.
   */
  runAfterMs: number | undefined;
  /** An entry that is fresh for longer than this needs no fetch, in milliseconds. */
  freshForMs: number;
  /**
   * A name for this question alone, by which it may be asked again: a run that it was given is given to
   * it once more.
   */
  runner?: string | undefined;
}

/**
 * What a question finds.
 * - `entry`: the entry is fresh; nothing else was looked at
 * - `new`: a fetch is queued, and this question began it
 * - `run`: the caller is to run the fetch now
 * - `queued`, `running`: a fetch that somebody else began
 * - `failed`: the last fetch has failed, a moment ago where the question might begin another one
 * - `none`: there is no fetch
 * - `alone`: the caller is to run a fetch, and Redis takes no writes
 */
export interface Found {
  state: 'entry' | 'new' | 'run' | 'queued' | 'running' | 'failed' | 'none' | 'alone';
  /** The id of the fetch; empty without one. */
  fetchId: string;
  /** Fresh in the state `entry`, else stale at most. */
  entry?: Cached | undefined;
  /** With `failed` only. */
  failure?: Failure | undefined;
  /** With `alone` only: why Redis takes no writes, unless a missing permission was reported. */
  reason?: string | undefined;
}

type Reply = [
  state: Found['state'],
  fetchId: string,
  entry: string | null,
  lifeMs: number,
  detail?: string | null,
];

/** For what no request waits for. */
export const insisting = (): StoreTime => ({ storeMs: STORE_TIME_MS, insists: true });

export type FetchRecords = ReturnType<typeof createFetchRecords>;

/** The records of all keys. Every method throws StoreUnavailableError. */
export function createFetchRecords(
  store: RedisStore,
  { clock, names }: { clock: Clock; names: Names },
) {
  const askScript = store.script('weatherFetchAsk', ASK);
  const renewScript = store.script('weatherFetchRenew', RENEW);
  const endScript = store.script('weatherFetchEnd', END);
  const keysOf = (key: string) => [names.entry(key), names.fetch(key)];

  async function ask(key: string, question: Question, time?: StoreTime, mode = ''): Promise<Found> {
    const { newId = '', runAfterMs = '', freshForMs, runner = '' } = question;
    const args = [newId, runAfterMs, Math.ceil(freshForMs), mode, runner];
    const reply = await askScript(keysOf(key), args, time);
    const [state, fetchId, text, lifeMs, detail] = reply as Reply;
    const entry = text === null ? undefined : readEntry(key, text, lifeMs, clock.monotonic());
    const failure = state === 'failed' ? readFailure(parseObject(detail ?? '')) : undefined;
    // What only looks like an entry, or a failure, would keep the key from being fetched.
    const isReadable = state === 'failed' ? newId === '' || (entry && failure) : entry;
    if ((state === 'entry' || state === 'failed') && !isReadable) {
      return ask(key, question, time, 'no entry');
    }
    if (state !== 'alone') return { state, fetchId, entry, failure };
    const isReported = store.report(detail ?? '', names.fetch(key));
    return { state, fetchId, entry, reason: isReported ? undefined : (detail ?? '') };
  }

  /** @param reply of RENEW or END */
  function isHeld(reply: unknown, key: string): boolean {
    if (typeof reply === 'string') store.report(reply, names.fetch(key));
    return reply !== 0;
  }

  return {
    ask: (key: string, question: Question, time?: StoreTime) => ask(key, question, time),
    /**
     * Keeps a run alive for another `LEASE_MS`.
     * @returns whether the run still holds its record
     */
    async renew(key: string, fetchId: string): Promise<boolean> {
      return isHeld(await renewScript([names.fetch(key)], [fetchId], insisting()), key);
    },
    /**
     * Ends a run: writes what it brought and tells everybody.
     * @param state only while the fetch is in this state
     * @returns whether the run held its record; otherwise nothing was written
     */
    async end(key: string, { fetchId, by, entry, failure }: End, state = ''): Promise<boolean> {
      const args = [
        fetchId,
        names.announcements,
        JSON.stringify({ key, fetchId, by, failure }),
        entry ? entryText(entry) : '',
        entry ? Math.floor(entry.staleUntil - clock.monotonic()) : 0,
        failure ? JSON.stringify(failure) : '',
        state,
      ];
      return isHeld(await endScript(keysOf(key), args, insisting()), key);
    },
  };
}

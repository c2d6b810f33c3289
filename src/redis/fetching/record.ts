import type { Cached } from '../../weather/cache.js';
import type { Clock } from '../../weather/types.js';
import type { Scope } from '../../weather/scope.js';
import type { RedisStore } from '../client/store.js';
import type { Names } from '../names.js';
import { readFailure, type Failure } from './announcements.js';
import { entryText, parseObject, readEntry } from './entry.js';

/**
 * The record of the fetch of one key, and every transition between its states: none, queued,
 * running, failed. README.md in this folder draws them. All of it is three scripts: `ask`, `renew`
 * and `end`. The id of a fetch is its fence: it is run once, and a lost fetch begins under a new id.
 */

/**
 * A replica runs a fetch itself that has been queued for so long. Doubled: a cold place waits 4 s
 * instead of 2 for a worker that has died within the last seconds.
 */
export const PICK_UP_MS = 2000;
/** Without a renewal for so long the runner is dead. Doubled: its waiters wait 6 s instead of 3. */
export const LEASE_MS = 3000;
/** A queued fetch without a waiter ends. Doubled: a worker may fetch what nobody needs any more. */
const INTEREST_MS = 15_000;
/** How long a failure is kept for waiters that missed its announcement. Doubled: nothing changes. */
const FAILED_MS = 5000;
/** A failure younger than this answers with what is stale. Doubled: `STALE` for a second longer. */
const RECENT_MS = 1000;

/** A write that Redis refuses is no error of the script: its reply says so. */
const WRITE = `
local refused
local function write(...)
  local reply = redis.pcall(...)
  if type(reply) == 'table' and reply.err then refused = reply.err end
end`;

/**
 * KEYS: entry, record. ARGV: the id of the fetch to begin where there is none ('' to begin none),
 * how long a fetch must have been queued for the caller to run it (ms), how long an entry must be
 * fresh to count (ms), 'no entry' when the caller cannot read it. Replies: what is found, the
 * fetch's id, the entry's text and life, the text of the failure or why Redis takes no writes.
 */
const ASK = `${WRITE}
local newId, runAfter, freshFor = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local entry, life = redis.pcall('GET', KEYS[1]), 0
if type(entry) ~= 'string' or ARGV[4] == 'no entry' then entry = false else
  local stale = tonumber(string.match(entry, '^%d+'))
  life = redis.call('PTTL', KEYS[1])
  if stale and life - stale > freshFor then return {'entry', '', entry, life} end
end

local record = redis.pcall('HMGET', KEYS[2], 'id', 'state', 'queued', 'failure')
local id, state, left = record[1], record[2], redis.call('PTTL', KEYS[2])
local isOurs = id and left > 0 and left <= ${INTEREST_MS}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

if isOurs and state == 'failed' and
    (newId == '' or (entry and life > 0 and left > ${FAILED_MS - RECENT_MS})) then
  return {'failed', id, entry, life, record[4]}
end
if not isOurs or (state ~= 'queued' and state ~= 'running') then
  if newId == '' then return {'none', '', entry, life} end
  local runs = runAfter == 0
  write('DEL', KEYS[2])
  write('HSET', KEYS[2], 'id', newId, 'state', runs and 'running' or 'queued', 'queued', now)
  write('PEXPIRE', KEYS[2], runs and ${LEASE_MS} or ${INTEREST_MS})
  return {refused and 'alone' or runs and 'run' or 'new', newId, entry, life, refused}
end
if state == 'queued' then
  local queuedFor = now - (tonumber(record[3]) or 0)
  -- Redis's clock was set back: nobody can say for how long.
  if queuedFor < 0 then queuedFor = ${PICK_UP_MS} end
  if queuedFor >= runAfter then
    write('HSET', KEYS[2], 'state', 'running')
    write('PEXPIRE', KEYS[2], ${LEASE_MS})
    return {refused and 'alone' or 'run', id, entry, life, refused}
  end
  write('PEXPIRE', KEYS[2], ${INTEREST_MS})
end
return {state, id, entry, life}`;

/** Only the holder of the record may go on. `held`: the fetch of this id is queued or running. */
const HOLD = `
local record = redis.pcall('HMGET', KEYS[#KEYS], 'id', 'state')
local held = record[1] == ARGV[1] and record[2] ~= 'failed'`;

/** KEYS: record. ARGV: id. */
const RENEW = `${WRITE}${HOLD}
if not held then return 0 end
write('HSET', KEYS[1], 'state', 'running')
write('PEXPIRE', KEYS[1], ${LEASE_MS})
return 1`;

/**
 * KEYS: entry, record. ARGV: id, channel, head of the announcement, the entry's text ('' for none)
 * and life (ms), failure ('' for none). A process that was frozen must not write an old entry over a
 * newer one when it wakes up, nor fail what others do by now. Those who wait are told also when
 * Redis takes no writes, or this user may not write to the channel.
 */
const END = `${WRITE}${HOLD}
if not held then return 0 end
if ARGV[4] ~= '' and tonumber(ARGV[5]) > 0 then write('SET', KEYS[1], ARGV[4], 'PX', ARGV[5]) end
write('DEL', KEYS[2])
if ARGV[6] ~= '' then
  write('HSET', KEYS[2], 'id', ARGV[1], 'state', 'failed', 'failure', ARGV[6])
  write('PEXPIRE', KEYS[2], ${FAILED_MS})
end
write('PUBLISH', ARGV[2], ARGV[3] .. '\\n' .. ARGV[5] .. '\\n' .. ARGV[4])
return 1`;

export interface Question {
  /** The id of the fetch that the question begins when there is none; undefined: it begins none. */
  newId: string | undefined;
  /**
   * A fetch that has been queued for so long, in milliseconds, is given to the caller to run; with
   * 0, one that the question begins is too.
   */
  runAfterMs: number;
  /** An entry that is fresh for longer than this needs no fetch, in milliseconds. */
  freshForMs: number;
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
  entry: Cached | undefined;
  /** Told with `failed` only. */
  failure: Failure | undefined;
  /** Why Redis takes no writes; told with `alone` only. */
  refusal: string | undefined;
}

/** How a run ended. `undefined` outcome: it was given up, and somebody else may run the fetch. */
export interface End {
  fetchId: string;
  by: 'worker' | 'replica';
  outcome: { cached: Cached } | { failure: Failure } | undefined;
}

/** The records of all keys. Every method throws StoreUnavailableError. */
export interface FetchRecords {
  ask(key: string, question: Question, scope?: Scope): Promise<Found>;
  /**
   * Keeps a run alive for another `LEASE_MS`.
   * @returns whether the run still holds its record
   */
  renew(key: string, fetchId: string): Promise<boolean>;
  /**
   * Ends a run: writes what it brought and tells everybody.
   * @returns whether the run held its record; otherwise nothing was written
   */
  end(key: string, end: End): Promise<boolean>;
}

export function createFetchRecords(
  store: RedisStore,
  { clock, names }: { clock: Clock; names: Names },
): FetchRecords {
  const ask = store.script('weatherFetchAsk', ASK);
  const renew = store.script('weatherFetchRenew', RENEW);
  const end = store.script('weatherFetchEnd', END);
  const keysOf = (key: string) => [names.entry(key), names.fetch(key)];

  async function askOnce(
    key: string,
    question: Question,
    scope?: Scope,
    mode = '',
  ): Promise<Found> {
    const { newId = '', runAfterMs, freshForMs } = question;
    const reply = await ask(keysOf(key), [newId, runAfterMs, Math.ceil(freshForMs), mode], scope);
    const [state, fetchId, text, lifeMs, said] = reply as [
      state: Found['state'],
      fetchId: string,
      entry: string | null,
      lifeMs: number,
      said?: string | null,
    ];
    const entry =
      text !== null && lifeMs > 0 ? readEntry(key, text, lifeMs, clock.monotonic()) : undefined;
    const failure = state === 'failed' ? readFailure(parseObject(said ?? '')) : undefined;
    // What only looks like an entry, or a failure, would keep the key from being fetched.
    const isAnswer = entry && (state === 'entry' || failure);
    const mustAnswer = state === 'entry' || (state === 'failed' && newId !== '');
    if (mustAnswer && !isAnswer) return askOnce(key, question, scope, 'no entry');
    const refusal = state === 'alone' ? (said ?? '') : undefined;
    return { state, fetchId, entry, failure, refusal };
  }

  return {
    ask: askOnce,
    renew: async (key, fetchId) => (await renew([names.fetch(key)], [fetchId])) === 1,
    async end(key, { fetchId, by, outcome }) {
      const cached = outcome && 'cached' in outcome ? outcome.cached : undefined;
      const failure = outcome && 'failure' in outcome ? outcome.failure : undefined;
      const reply = await end(keysOf(key), [
        fetchId,
        names.announcements,
        JSON.stringify({ key, fetchId, by, failure }),
        cached ? entryText(cached) : '',
        cached ? Math.floor(cached.staleUntil - clock.monotonic()) : 0,
        failure ? JSON.stringify(failure) : '',
      ]);
      return reply === 1;
    },
  };
}

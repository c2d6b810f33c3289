import type { Cached } from '../../weather/cache.js';
import { isTraceId, type Scope } from '../../weather/scope.js';
import type { Clock } from '../../weather/types.js';
import type { RedisStore } from '../client/store.js';
import { ANNOUNCEMENTS, readFailure, type Failure } from './announcements.js';
import { entryBody, parseObject, readEntry, type SharedEntry } from './entry.js';

/**
 * The record of the fetch of one key, and every transition between its states. README.md in this
 * folder draws them. All of it is three scripts: `ask`, `renew` and `end`.
 */

/** A fetch that shows no sign of life for so long is given up, and somebody else may run it. */
export const LEASE_MS = 3000;
/** A queued fetch that nobody has asked for during so long concerns nobody any more. */
const INTEREST_MS = 15_000;
/** Whoever asked first answers for the fetch until it has been silent for so long. */
const ASKER_MS = 1500;
/** How long a failure is kept for those who missed its announcement. */
const FAILURE_MS = 5000;

/**
 * KEYS: entry, record, failure. ARGV: mode, id of a new fetch, process, token of a run, how long an
 * entry must be fresh to count (ms), trace of a new fetch ('' for none). Replies: what is found, the
 * record's id, the entry's text and life, the text of the last failure, the trace of a fetch to run.
 */
const ASK = `
local mode, newId, process, token, freshFor = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local entry = redis.pcall('GET', KEYS[1])
local life = 0
if type(entry) ~= 'string' then entry = false else
  local stale = tonumber(string.match(entry, '^%d+'))
  life = redis.call('PTTL', KEYS[1])
  if stale and life - stale > freshFor then return {'entry', '', entry, life} end
end

local record = redis.pcall('HMGET', KEYS[2], 'id', 'state', 'asker', 'seen', 'trace')
if record.err then record = {} end
local id, state, asker, seen = record[1], record[2], record[3], tonumber(record[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

if not id or not seen then
  local failure = redis.pcall('GET', KEYS[3])
  if type(failure) ~= 'string' then failure = false end
  if mode == 'look' or mode == 'wait' or mode == 'take' then return {'none', '', entry, life, failure} end
  redis.call('DEL', KEYS[2])
  redis.call('HSET', KEYS[2], 'id', newId, 'asker', process, 'seen', now,
    'state', mode == 'run' and 'running' or 'queued', 'token', token, 'trace', ARGV[6])
  redis.call('PEXPIRE', KEYS[2], mode == 'run' and ${LEASE_MS} or ${INTEREST_MS})
  return {mode == 'run' and 'run' or 'new', newId, entry, life, false, ARGV[6]}
end

if mode == 'look' then return {state, id, entry, life} end
if mode ~= 'take' then
  if asker == process then redis.call('HSET', KEYS[2], 'seen', now)
  elseif now - seen > ${ASKER_MS} then
    redis.call('HSET', KEYS[2], 'asker', process, 'seen', now)
  end
end
if state == 'queued' then
  if mode == 'run' or mode == 'take' then
    redis.call('HSET', KEYS[2], 'state', 'running', 'token', token)
    redis.call('PEXPIRE', KEYS[2], ${LEASE_MS})
    return {'run', id, entry, life, false, record[5]}
  end
  redis.call('PEXPIRE', KEYS[2], ${INTEREST_MS})
end
return {state, id, entry, life}`;

/** KEYS: record. ARGV: token. */
const RENEW = `
if redis.pcall('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ${LEASE_MS})`;

/**
 * KEYS: entry, record, failure. ARGV: token, channel, announcement, body of the entry ('' for none),
 * its stale life and its whole life (ms), failure ('' for none). The asker may change until this
 * moment, so the script writes it into the entry.
 * Only the run that holds the record ends it. A process that was frozen must not write an old entry
 * over a newer one when it wakes up, nor fail what others do by now.
 */
const END = `
local record = redis.pcall('HMGET', KEYS[2], 'token', 'asker')
if record.err or record[1] ~= ARGV[1] then return false end
redis.call('DEL', KEYS[2])
local entry = ''
if ARGV[4] ~= '' then
  entry = ARGV[5] .. ' ' .. record[2] .. ' ' .. ARGV[4]
  if tonumber(ARGV[6]) > 0 then redis.call('SET', KEYS[1], entry, 'PX', ARGV[6]) end
end
if ARGV[7] ~= '' then redis.call('SET', KEYS[3], ARGV[7], 'PX', ${FAILURE_MS}) end
redis.call('PUBLISH', ARGV[2], ARGV[3] .. '\\n' .. ARGV[6] .. '\\n' .. entry)
return record[2]`;

/** A script: in a cluster a bare PUBLISH goes to any node, also to one that hangs. */
const TELL = `return redis.call('PUBLISH', KEYS[1], ARGV[1])`;

/**
 * What a question does beside looking.
 * - `look`: nothing; works on a Redis that takes no writes
 * - `wait`: keeps alive what waits to be run
 * - `queue`: without a fetch, begins one that waits to be run
 * - `run`: without a fetch, begins and runs one; runs one that waits
 * - `take`: runs one that waits
 */
export type Mode = 'look' | 'wait' | 'queue' | 'run' | 'take';

/**
 * What a question finds.
 * - `entry`: the entry is fresh; nothing else was looked at
 * - `new`: a fetch waits to be run, and this question began it
 * - `run`: the caller is to run the fetch now, with the token that it gave
 * - `queued`, `running`: a fetch that somebody else began
 * - `none`: there is no fetch
 */
export interface Found {
  state: 'entry' | 'new' | 'run' | 'queued' | 'running' | 'none';
  /** The id of the fetch; empty without one. */
  fetchId: string;
  /** Fresh in the state `entry`, else stale at most. */
  entry: SharedEntry | undefined;
  /** The last failure; told with `none` only. */
  failure: (Failure & { fetchId: string }) | undefined;
  /** The trace of the request that began the fetch; told with `run` only. */
  traceId: string | undefined;
}

export interface Question {
  mode: Mode;
  /** Of the fetch that this question may begin. */
  fetchId: string;
  /** Identifies the run that this question may begin. */
  token: string;
  /** An entry that is fresh for longer than this needs no fetch, in milliseconds. */
  freshForMs: number;
  /** Of the request that asks. */
  traceId?: string | undefined;
}

/** How a run ended. `undefined` outcome: it was given up, and somebody else may run it. */
export interface End {
  fetchId: string;
  token: string;
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
  renew(key: string, token: string): Promise<boolean>;
  /**
   * Ends a run: writes what it brought and tells everybody.
   * @returns the process that answers for the fetch; undefined when the run had lost its record,
   *   and nothing was written
   */
  end(key: string, end: End, scope?: Scope): Promise<string | undefined>;
  /** Tells everybody that a worker is there. */
  greet(): Promise<void>;
}

/** Braces put all keys of one request on one cluster node. */
const name = (kind: string, key: string) => `weather:${kind}:{${key}}`;
const keysOf = (key: string) => [name('cache', key), name('fetch', key), name('failure', key)];

/** @param processId identifies this process */
export function createFetchRecords(
  store: RedisStore,
  { clock, processId }: { clock: Clock; processId: string },
): FetchRecords {
  const ask = store.script('weatherFetchAsk', ASK);
  const renew = store.script('weatherFetchRenew', RENEW);
  const end = store.script('weatherFetchEnd', END);
  const tell = store.script('weatherTell', TELL);

  async function askOnce(key: string, question: Question, scope?: Scope): Promise<Found> {
    const { mode, fetchId, token, freshForMs, traceId = '' } = question;
    const reply = (await ask(
      keysOf(key),
      [mode, fetchId, processId, token, Math.max(0, Math.ceil(freshForMs)), traceId],
      scope,
    )) as [Found['state'], string, string | null, number, (string | null)?, unknown?];
    const [state, found, text, lifeMs, failure, trace] = reply;
    const entry =
      text !== null && lifeMs > 0 ? readEntry(text, lifeMs, clock.monotonic()) : undefined;
    if (state === 'entry' && !entry) return discardAndAsk(key, question, scope);
    return {
      state,
      fetchId: found,
      entry,
      failure: keptFailure(failure),
      traceId: isTraceId(trace) ? trace : undefined,
    };
  }

  /** A text that only begins like a fresh entry would keep the key from ever being fetched. */
  async function discardAndAsk(key: string, question: Question, scope?: Scope): Promise<Found> {
    const [entry = ''] = keysOf(key);
    await store.run(entry, (redis) => redis.del(entry), scope);
    return askOnce(key, question, scope);
  }

  return {
    ask: askOnce,

    async renew(key, token) {
      return (await renew([name('fetch', key)], [token])) === 1;
    },

    async end(key, { fetchId, token, by, outcome }, scope) {
      const cached = outcome && 'cached' in outcome ? outcome.cached : undefined;
      const failure = outcome && 'failure' in outcome ? outcome.failure : undefined;
      const args = [
        token,
        ANNOUNCEMENTS,
        JSON.stringify({ key, fetchId, by, failure }),
        cached ? entryBody(cached) : '',
        cached ? Math.round(cached.staleUntil - cached.freshUntil) : 0,
        cached ? Math.floor(cached.staleUntil - clock.monotonic()) : 0,
        failure ? JSON.stringify({ ...failure, fetchId }) : '',
      ];
      const asker = await end(keysOf(key), args, scope);
      return typeof asker === 'string' ? asker : undefined;
    },

    async greet() {
      const greeting = JSON.stringify({ key: '', fetchId: '', by: 'worker' });
      await tell([ANNOUNCEMENTS], [greeting]);
    },
  };
}

/** The failure that is kept under a key; undefined when there is none. */
function keptFailure(text: string | null | undefined): Found['failure'] {
  const parsed = typeof text === 'string' ? parseObject(text) : undefined;
  const failure = readFailure(parsed);
  const fetchId = parsed?.['fetchId'];
  return failure && typeof fetchId === 'string' ? { ...failure, fetchId } : undefined;
}

import {
  MAX_RECENT_SEARCHES,
  type RecentSearch,
  type Search,
  type SessionData,
  type SessionLives,
  type Sessions,
} from '../weather/searches.js';
import type { RedisStore } from './client/store.js';
import type { Names } from './names.js';

/**
 * One string a session. Its first line is the head: the time at which the cookie was issued (base
 * 36), and `?` until the session is confirmed. Each further line is a search, newest first: the
 * place's key, a tab, city and country as JSON. None of these parts holds a raw tab or line break.
 */
const UNCONFIRMED = '?';
/** Its first group is the time at which the cookie was issued. */
export const SESSION_HEAD = /^([0-9a-z]{1,11})\??\n/;

/** Finds the end of the head, and when the cookie was issued. Anything else than a head is no session. */
const READ = `
local kept = redis.pcall('GET', KEYS[1])
local ends = type(kept) == 'string' and string.find(kept, '\\n', 1, true)
local issued = ends and ends <= 13 and string.match(kept, '^([0-9a-z]+)%??\\n')
local isConfirmed = issued and #issued + 1 == ends`;

/**
 * Writes the head, confirms the session, adds a search: each if asked to, all at once, so that
 * concurrent searches are all kept. KEYS: session. ARGV: seconds to live; head, or '' to confirm
 * the session that is there; the search's place key with its tab, or ''; the line of the search;
 * number of searches to keep. Replies when the cookie was issued.
 */
const UPDATE = `${READ}
local head = ARGV[2]
if head == '' then
  if not issued then return false end
  head = issued .. '\\n'
  if isConfirmed and ARGV[3] == '' then return issued end
  -- Most often a confirmed session has its newest search again.
  if string.sub(kept, 1, ends + #ARGV[4]) == head .. ARGV[4] then
    redis.call('EXPIRE', KEYS[1], ARGV[1])
    return issued
  end
end
local searches = issued and string.sub(kept, ends + 1) or ''
if ARGV[3] ~= '' then
  searches = '\\n' .. searches
  local from = string.find(searches, '\\n' .. ARGV[3], 1, true)
  if from then
    local to = string.find(searches, '\\n', from + 1, true) or #searches
    searches = string.sub(searches, 1, from) .. string.sub(searches, to + 1)
  end
  searches = ARGV[4] .. string.sub(searches, 2)
  local last = 0
  for _ = 1, tonumber(ARGV[5]) do
    last = string.find(searches, '\\n', last + 1, true)
    if not last then break end
  end
  if last then searches = string.sub(searches, 1, last) end
end
redis.call('SET', KEYS[1], head .. searches, 'EX', ARGV[1])
return issued`;

/** ARGV: seconds to live when the session is confirmed by it. A Redis that refuses that is read all the same. */
const LIST = `${READ}
if not issued then return false end
if not isConfirmed then
  redis.pcall('SET', KEYS[1], issued .. string.sub(kept, ends), 'EX', ARGV[1])
end
return kept`;

/** Leaves the head alone. A Redis that is full or read-only refuses this as it does all writes. */
const CLEAR = `${READ}
if issued then redis.call('SET', KEYS[1], string.sub(kept, 1, ends), 'KEEPTTL') end`;

/**
 * A session that is not confirmed takes at most 300 bytes of Redis's memory; so much is left for its
 * key and its value. With a prefix of seven letters that is enough for names of 130 bytes together. A
 * search with longer ones is not kept until the cookie has come back.
 */
const MAX_UNCONFIRMED_BYTES = 242;

/** Sessions with their recent searches, shared by all replicas. */
export function createRedisSessions(
  store: RedisStore,
  names: Names,
  lives: SessionLives,
): Sessions {
  const update = store.script('weatherSessionUpdate', UPDATE);
  const list = store.script('weatherSessionList', LIST);
  const clear = store.script('weatherSessionClear', CLEAR);
  const shortLife = Math.min(lives.ttlSeconds, lives.unconfirmedTtlSeconds);

  return {
    async save(id, data, search, scope) {
      const key = names.session(id);
      const head = headOf(data);
      const seconds = data.confirmed ? lives.ttlSeconds : shortLife;
      const [place, line] = search ? linesOf(search) : ['', ''];
      const fits = data.confirmed || Buffer.byteLength(key + head + line) <= MAX_UNCONFIRMED_BYTES;
      const added = fits ? [place, line] : ['', ''];
      await update([key], [seconds, head, ...added, MAX_RECENT_SEARCHES], scope);
    },
    async record(id, search, scope) {
      const added = search ? linesOf(search) : ['', ''];
      const args = [lives.ttlSeconds, '', ...added, MAX_RECENT_SEARCHES];
      const issued = await update([names.session(id)], args, scope);
      return typeof issued === 'string' ? Number.parseInt(issued, 36) : undefined;
    },
    async searches(id, scope) {
      const text = await list([names.session(id)], [lives.ttlSeconds], scope);
      return typeof text === 'string' ? searchesOf(text) : [];
    },
    async clearSearches(id, scope) {
      await clear([names.session(id)], [], scope);
    },
  };
}

/** The whole value of a session. */
export function sessionText(data: SessionData, searches: Search[]): string {
  return headOf(data) + searches.map((search) => linesOf(search)[1]).join('');
}

function headOf({ issuedAt, confirmed }: SessionData): string {
  return `${Math.round(issuedAt).toString(36)}${confirmed ? '' : UNCONFIRMED}\n`;
}

/** The place's key as a search begins with it, and the whole search. */
function linesOf({ placeKey, city, country }: Search): [place: string, line: string] {
  const place = `${placeKey}\t`;
  return [place, `${place}${JSON.stringify([city, country])}\n`];
}

/** The searches of a session's value; of one that is damaged, what can be read. */
export function searchesOf(text: string): RecentSearch[] {
  if (!SESSION_HEAD.test(text)) return [];
  return text.split('\n').slice(1, -1).flatMap(searchOf);
}

function searchOf(line: string): RecentSearch[] {
  try {
    const [city, country] = JSON.parse(line.slice(line.indexOf('\t') + 1)) as unknown[];
    return typeof city === 'string' && typeof country === 'string' ? [{ city, country }] : [];
  } catch {
    return [];
  }
}

import {
  MAX_RECENT_SEARCHES,
  type RecentSearch,
  type Search,
  type SessionData,
  type SessionLives,
  type Sessions,
} from '../weather/searches.js';
import { nothingIfWrongType } from './client/refusals.js';
import type { RedisStore } from './client/store.js';

/**
 * One string a session. Its first line is the head: the time at which the cookie was issued (base
 * 36), and `?` until the session is confirmed. Each further line is a search, newest first: the
 * place's key, a tab, city and country as JSON. None of these parts holds a raw tab or line break.
 */
const UNCONFIRMED = '?';
const HEAD = /^([0-9a-z]{1,11})(\??)\n/;
/** No head is longer, in bytes. */
const HEAD_BYTES = 13;

/**
 * Writes the head, confirms the session, adds a search: each if asked to, all at once, so that
 * concurrent searches are all kept. KEYS: session. ARGV: seconds to live; head, or '' to confirm
 * the session that is there; the search's place key with its tab, or ''; the line of the search;
 * number of searches to keep.
 */
const UPDATE = `
local kept = redis.pcall('GET', KEYS[1])
local ends = type(kept) == 'string' and string.find(kept, '\\n', 1, true)
local head, searches = ARGV[2], ends and string.sub(kept, ends + 1) or ''
if head == '' then
  if not ends then return 0 end
  head = string.sub(kept, 1, ends)
  -- Most often a confirmed session has its newest search again.
  if string.sub(kept, 1, ends + #ARGV[4]) == head .. ARGV[4] and string.byte(head, -2) ~= 63 then
    return redis.call('EXPIRE', KEYS[1], ARGV[1])
  end
  head = string.gsub(head, '%?', '', 1)
end
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
return 1`;

/** Leaves the head alone. A Redis that is full or read-only refuses this as it does all writes. */
const CLEAR = `
local kept = redis.pcall('GET', KEYS[1])
local ends = type(kept) == 'string' and string.find(kept, '\\n', 1, true)
if not ends then return 0 end
redis.call('SET', KEYS[1], string.sub(kept, 1, ends), 'KEEPTTL')
return 1`;

/**
 * A session that is not confirmed takes at most 300 bytes of Redis's memory with its key; so much is
 * left for its value. That is enough for names of 130 bytes together. A search with longer ones is
 * not kept until the cookie has come back.
 */
const MAX_UNCONFIRMED_BYTES = 187;

const keyOf = (id: string) => `weather:session:{${id}}`;

/** Sessions with their recent searches, shared by all replicas. */
export function createRedisSessions(store: RedisStore, lives: SessionLives): Sessions {
  const update = store.script('weatherSessionUpdate', UPDATE);
  const clear = store.script('weatherSessionClear', CLEAR);
  const shortLife = Math.min(lives.ttlSeconds, lives.unconfirmedTtlSeconds);

  return {
    async get(id, scope) {
      const key = keyOf(id);
      const start = await nothingIfWrongType(
        store.run(key, (redis) => redis.getrange(key, 0, HEAD_BYTES - 1), scope),
      );
      return dataOf(start ?? '');
    },
    async save(id, data, search, scope) {
      const head = headOf(data);
      const seconds = data.confirmed ? lives.ttlSeconds : shortLife;
      const [place, line] = search ? linesOf(search) : ['', ''];
      const fits = data.confirmed || Buffer.byteLength(head + line) <= MAX_UNCONFIRMED_BYTES;
      const added = fits ? [place, line] : ['', ''];
      await update([keyOf(id)], [seconds, head, ...added, MAX_RECENT_SEARCHES], scope);
    },
    async confirm(id, search, scope) {
      const added = search ? linesOf(search) : ['', ''];
      await update([keyOf(id)], [lives.ttlSeconds, '', ...added, MAX_RECENT_SEARCHES], scope);
    },
    async searches(id, scope) {
      const key = keyOf(id);
      const text = await nothingIfWrongType(store.run(key, (redis) => redis.get(key), scope));
      return text === null ? [] : searchesOf(text);
    },
    async clearSearches(id, scope) {
      await clear([keyOf(id)], [], scope);
    },
    async destroy(id, scope) {
      const key = keyOf(id);
      await store.run(key, (redis) => redis.del(key), scope);
    },
  };
}

function headOf({ issuedAt, confirmed }: SessionData): string {
  return `${Math.round(issuedAt).toString(36)}${confirmed ? '' : UNCONFIRMED}\n`;
}

/** Anything else than a head is no session. */
function dataOf(start: string): SessionData | undefined {
  const [head, issuedAt = '', mark] = HEAD.exec(start) ?? [];
  if (head === undefined) return undefined;
  return { issuedAt: Number.parseInt(issuedAt, 36), confirmed: mark !== UNCONFIRMED };
}

/** The place's key as a search begins with it, and the whole search. */
function linesOf({ placeKey, city, country }: Search): [place: string, line: string] {
  const place = `${placeKey}\t`;
  return [place, `${place}${JSON.stringify([city, country])}\n`];
}

/** Of a value that is damaged, what can be read. */
function searchesOf(text: string): RecentSearch[] {
  if (!dataOf(text)) return [];
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

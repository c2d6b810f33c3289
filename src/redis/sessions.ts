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
import { READ_SESSION, UPDATE_SESSION } from './session-script.js';

/**
 * One string a session. Its first line is the head: the time at which the cookie was issued (base
 * 36), and `?` until the session is confirmed. Each further line is a search, newest first: the
 * place's key, a tab, city and country as JSON. None of these parts holds a raw tab or line break.
 */
const UNCONFIRMED = '?';
/** Its first group is the time at which the cookie was issued. */
export const SESSION_HEAD = /^([0-9a-z]{1,11})\??\n/;

const UPDATE = `${UPDATE_SESSION}
return updateSession(KEYS[1], unpack(ARGV))`;

/** ARGV: seconds to live when the session is confirmed by it. A Redis that refuses that is read all the same. */
const LIST = `${READ_SESSION}
local kept, ends, issued, isConfirmed = readSession(KEYS[1])
if not issued then return false end
if not isConfirmed then
  redis.pcall('SET', KEYS[1], issued .. string.sub(kept, ends), 'EX', ARGV[1])
end
return kept`;

/** Leaves the head alone. A Redis that is full or read-only refuses this as it does all writes. */
const CLEAR = `${READ_SESSION}
local kept, ends, issued = readSession(KEYS[1])
if issued then redis.call('SET', KEYS[1], string.sub(kept, 1, ends), 'KEEPTTL') end`;

/**
 * A session that is not confirmed takes at most 300 bytes of Redis's memory; so much is left for its
 * key and its value. With a prefix of seven letters that is enough for names of 130 bytes together. A
 * search with longer ones is not kept until the cookie has come back.
 */
const MAX_UNCONFIRMED_BYTES = 242;

/** The key and the other arguments of UPDATE_SESSION. */
export interface SessionUpdate {
  key: string;
  args: (string | number)[];
}

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
      const { key, args } = recording(id, search, { names, lives });
      return issuedAtOf(await update([key], args, scope));
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

/** What UPDATE_SESSION needs to record a search, or without one to confirm the session. */
export function recording(
  id: string,
  search: Search | undefined,
  { names, lives }: { names: Names; lives: SessionLives },
): SessionUpdate {
  const added = search ? linesOf(search) : ['', ''];
  const args = [lives.ttlSeconds, '', ...added, MAX_RECENT_SEARCHES];
  return { key: names.session(id), args };
}

/** When the cookie was issued, by the reply of UPDATE_SESSION; undefined: there is no session. */
export function issuedAtOf(reply: unknown): number | undefined {
  return typeof reply === 'string' ? Number.parseInt(reply, 36) : undefined;
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

import {
  MAX_RECENT_SEARCHES,
  type RecentSearch,
  type RecentSearches,
  type SessionData,
  type SessionStore,
} from '../weather/searches.js';
import type { RedisStore } from './client/store.js';

/**
 * Puts a search in front and drops the same place's earlier one, so that concurrent searches of one
 * session are all kept. KEYS: list, session. ARGV: prefix of the place, element, length, seconds.
 */
const ADD = `
for _, element in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if string.sub(element, 1, #ARGV[1]) == ARGV[1] then redis.call('LREM', KEYS[1], 0, element) end
end
redis.call('LPUSH', KEYS[1], ARGV[2])
redis.call('LTRIM', KEYS[1], 0, ARGV[3] - 1)
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call('EXPIRE', KEYS[2], ARGV[4])
return 1`;

/**
 * A full Redis would still delete. One rule for all writes is easier to rely on, so this begins with
 * one that it refuses: what a client is told is then the same as for a read-only Redis.
 */
const CLEAR = `
redis.call('RPUSH', KEYS[1], '')
return redis.call('DEL', KEYS[1])`;

const sessionKey = (id: string) => `weather:session:{${id}}`;
const searchesKey = (id: string) => `weather:searches:{${id}}`;

/** Sessions and their recent searches, shared by all replicas. */
export function createRedisSessions(
  store: RedisStore,
  ttlSeconds: number,
): { sessions: SessionStore; searches: RecentSearches } {
  const add = store.script('weatherSearchesAdd', ADD);
  const clear = store.script('weatherSearchesClear', CLEAR);

  return {
    sessions: {
      async get(id, scope) {
        const text = await store.run(id, (redis) => redis.get(sessionKey(id)), scope);
        return text === null ? undefined : (JSON.parse(text) as SessionData);
      },
      async set(id, data, scope) {
        const text = JSON.stringify(data);
        await store.run(id, (redis) => redis.set(sessionKey(id), text, 'EX', ttlSeconds), scope);
      },
      async destroy(id, scope) {
        await store.run(id, (redis) => redis.del(sessionKey(id), searchesKey(id)), scope);
      },
    },
    searches: {
      async add(id, placeKey, search, scope) {
        const prefix = `${placeKey}\n`;
        await add(
          [searchesKey(id), sessionKey(id)],
          [prefix, prefix + JSON.stringify(search), MAX_RECENT_SEARCHES, ttlSeconds],
          scope,
        );
      },
      async list(id, scope) {
        const elements = await store.run(
          id,
          (redis) => redis.lrange(searchesKey(id), 0, -1),
          scope,
        );
        return elements.map((element) => JSON.parse(afterLine(element)) as RecentSearch);
      },
      async clear(id, scope) {
        await clear([searchesKey(id)], [], scope);
      },
    },
  };
}

/** An element is the place's key, a line break, the search. Neither part holds a raw line break. */
function afterLine(element: string): string {
  return element.slice(element.indexOf('\n') + 1);
}

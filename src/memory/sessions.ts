import { LRUCache } from 'lru-cache';
import {
  MAX_RECENT_SEARCHES,
  type RecentSearch,
  type RecentSearches,
  type SessionData,
  type SessionStore,
} from '../weather/searches.js';
import type { Clock } from '../weather/types.js';

/**
 * Sessions and their recent searches in this process, both bounded: the session that was not used
 * for longest makes room.
 */
export function createMemorySessions(options: {
  clock: Clock;
  ttlSeconds: number;
  maxSessions: number;
}): { sessions: SessionStore; searches: RecentSearches } {
  const { clock, ttlSeconds, maxSessions } = options;
  const limits = {
    max: maxSessions,
    ttl: ttlSeconds * 1000,
    perf: { now: () => clock.monotonic() },
    // Without this the library remembers the time for a tick and asks the clock too seldom.
    ttlResolution: 0,
  };
  const sessions = new LRUCache<string, SessionData>(limits);
  const lists = new LRUCache<string, { placeKey: string; search: RecentSearch }[]>(limits);

  return {
    sessions: {
      get: (id) => Promise.resolve(sessions.get(id)),
      set: (id, data) => Promise.resolve(void sessions.set(id, data)),
      destroy: (id) => Promise.resolve(void sessions.delete(id)),
    },
    searches: {
      add(id, placeKey, search) {
        const others = (lists.get(id) ?? []).filter((entry) => entry.placeKey !== placeKey);
        lists.set(id, [{ placeKey, search }, ...others].slice(0, MAX_RECENT_SEARCHES));
        const session = sessions.get(id);
        if (session) sessions.set(id, session);
        return Promise.resolve();
      },
      list: (id) => Promise.resolve((lists.get(id) ?? []).map((entry) => entry.search)),
      clear: (id) => Promise.resolve(void lists.delete(id)),
    },
  };
}

import { LRUCache } from 'lru-cache';
import {
  MAX_RECENT_SEARCHES,
  type Search,
  type SessionData,
  type SessionLives,
  type Sessions,
} from '../weather/searches.js';
import type { Clock } from '../weather/types.js';

interface Kept {
  data: SessionData;
  searches: Search[];
}

/** Sessions in this process, bounded: the session that was not used for longest makes room. */
export function createMemorySessions(options: {
  clock: Clock;
  lives: SessionLives;
  maxSessions: number;
}): Sessions {
  const { clock, lives, maxSessions } = options;
  const sessions = new LRUCache<string, Kept>({
    max: maxSessions,
    ttl: lives.ttlSeconds * 1000,
    perf: { now: () => clock.monotonic() },
    // Without this the library remembers the time for a tick and asks the clock too seldom.
    ttlResolution: 0,
  });

  function keep(id: string, data: SessionData, kept: Kept | undefined, search?: Search): void {
    const earlier = kept?.searches ?? [];
    const seconds = data.confirmed
      ? lives.ttlSeconds
      : Math.min(lives.ttlSeconds, lives.unconfirmedTtlSeconds);
    const searches = search ? withNewest(earlier, search) : earlier;
    sessions.set(id, { data, searches }, { ttl: seconds * 1000 });
  }

  /** A session whose cookie has come back. */
  function confirm(id: string, search?: Search): Kept | undefined {
    const kept = sessions.get(id);
    if (kept && (search || !kept.data.confirmed)) {
      keep(id, { ...kept.data, confirmed: true }, kept, search);
    }
    return kept;
  }

  return {
    save(id, data, search) {
      keep(id, data, sessions.get(id), search);
      return Promise.resolve();
    },
    record: (id, search) => Promise.resolve(confirm(id, search)?.data.issuedAt),
    searches(id) {
      const searches = confirm(id)?.searches ?? [];
      return Promise.resolve(searches.map(({ city, country }) => ({ city, country })));
    },
    clearSearches(id) {
      const kept = sessions.get(id);
      if (kept) kept.searches = [];
      return Promise.resolve();
    },
  };
}

function withNewest(searches: Search[], newest: Search): Search[] {
  // Most often the same place again.
  if (searches[0]?.placeKey === newest.placeKey) return [newest, ...searches.slice(1)];
  const others = searches.filter(({ placeKey }) => placeKey !== newest.placeKey);
  return [newest, ...others.slice(0, MAX_RECENT_SEARCHES - 1)];
}

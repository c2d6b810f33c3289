import { createLru } from '../lru.js';
import {
  MAX_RECENT_SEARCHES,
  type Search,
  type Session,
  type SessionLives,
  type Sessions,
} from '../weather/searches.js';
import type { Clock } from '../weather/types.js';

interface Kept {
  searches: Search[];
  confirmed: boolean;
}

/** Sessions in this process, bounded: the session that was not used for longest makes room. */
export function createMemorySessions(options: {
  clock: Clock;
  lives: SessionLives;
  maxSessions: number;
}): Sessions {
  const { clock, lives, maxSessions } = options;
  const shortLife = Math.min(lives.ttlSeconds, lives.unconfirmedTtlSeconds);
  const sessions = createLru<string, Kept>(maxSessions, {
    ttl: lives.ttlSeconds * 1000,
    perf: { now: () => clock.monotonic() },
    // Without this the library remembers the time for a tick and asks the clock too seldom.
    ttlResolution: 0,
  });

  function keep(id: string, kept: Kept): void {
    sessions.set(id, kept, { ttl: (kept.confirmed ? lives.ttlSeconds : shortLife) * 1000 });
  }

  function record({ id, confirmed }: Session, search?: Search): Kept | undefined {
    const kept = sessions.get(id);
    if (search) {
      const searches = withNewest(kept?.searches ?? [], search);
      keep(id, { searches, confirmed: confirmed || (kept?.confirmed ?? false) });
    } else if (kept && confirmed && !kept.confirmed) {
      keep(id, { ...kept, confirmed });
    }
    return kept;
  }

  return {
    canRecord: () => true,
    record(session, search) {
      record(session, search);
      return Promise.resolve();
    },
    searches(id) {
      const searches = record({ id, issuedAt: 0, confirmed: true })?.searches ?? [];
      return Promise.resolve(searches.map(({ city, country }) => ({ city, country })));
    },
    clearSearches(id) {
      sessions.delete(id);
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

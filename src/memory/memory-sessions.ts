import { createLru } from '../lru.js';
import {
  MAX_RECENT_SEARCHES,
  type AnsweredSearch,
  type Session,
  type SessionLives,
  type Sessions,
} from '../recent-searches.js';
import type { Clock } from '../weather/types.js';

interface StoredSession {
  searches: AnsweredSearch[];
  confirmed: boolean;
}

/** Creates sessions in the memory of this process. Beyond `maxSessions`, the least recently used one is evicted. */
export function createMemorySessions(options: {
  clock: Clock;
  ttls: SessionLives;
  maxSessions: number;
}): Sessions {
  const { clock, ttls, maxSessions } = options;
  const unconfirmedTtlSeconds = Math.min(ttls.ttlSeconds, ttls.unconfirmedTtlSeconds);
  const sessions = createLru<string, StoredSession>(maxSessions, {
    ttl: ttls.ttlSeconds * 1000,
    perf: { now: () => clock.monotonic() },
    // Reads the clock for each call. By default, the library caches the time for a millisecond, by
    // a timer.
    ttlResolution: 0,
  });

  function write(id: string, session: StoredSession): void {
    const ttlSeconds = session.confirmed ? ttls.ttlSeconds : unconfirmedTtlSeconds;
    sessions.set(id, session, { ttl: ttlSeconds * 1000 });
  }

  function record({ id, confirmed }: Session, search?: AnsweredSearch): void {
    const stored = sessions.get(id);
    if (search) {
      const searches = merge(stored?.searches ?? [], search);
      write(id, { searches, confirmed: confirmed || (stored?.confirmed ?? false) });
    } else if (stored && confirmed && !stored.confirmed) {
      write(id, { ...stored, confirmed });
    }
  }

  return {
    canRecord: () => true,
    record(session, search) {
      record(session, search);
      return Promise.resolve();
    },
    searches(id) {
      record({ id, confirmed: true });
      const searches = sessions.get(id)?.searches ?? [];
      return Promise.resolve(searches.map(({ city, country }) => ({ city, country })));
    },
    clearSearches(id) {
      sessions.delete(id);
      return Promise.resolve();
    },
  };
}

/** Adds a search to a list that is ordered by instant. Of two searches for the same place, only the newer one remains. */
function merge(searches: AnsweredSearch[], search: AnsweredSearch): AnsweredSearch[] {
  const isOfPlace = ({ placeKey }: AnsweredSearch) => placeKey === search.placeKey;
  const others = searches.filter((other) => !isOfPlace(other));
  const same = searches.find(isOfPlace);
  const newest = same && !isNewer(search, same) ? same : search;
  const older = others.findIndex((other) => isNewer(newest, other));
  others.splice(older < 0 ? others.length : older, 0, newest);
  return others.slice(0, MAX_RECENT_SEARCHES);
}

/** If instants are equal, the greater text counts as newer, so that the order of arrival does not matter. */
function isNewer(a: AnsweredSearch, b: AnsweredSearch): boolean {
  if (a.instantUs !== b.instantUs) return a.instantUs > b.instantUs;
  return textOf(a) > textOf(b);
}

function textOf({ placeKey, city, country }: AnsweredSearch): string {
  return JSON.stringify([placeKey, city, country]);
}

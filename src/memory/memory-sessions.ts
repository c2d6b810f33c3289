import { createLru } from '../base/lru.js';
import {
  MAX_RECENT_SEARCHES,
  type TimedSearch,
  type SessionTtls,
  type Sessions,
} from '../weather/recent-searches.js';
import type { Clock } from '../weather/types.js';

/** Creates sessions in memory. Beyond `maxSessions`, the least recently used is evicted. */
export function createMemorySessions(options: {
  clock: Clock;
  ttls: SessionTtls;
  maxSessions: number;
}): Sessions {
  const { clock, ttls, maxSessions } = options;
  const confirmedMs = ttls.ttlSeconds * 1000;
  const unconfirmedMs = Math.min(confirmedMs, ttls.unconfirmedTtlSeconds * 1000);
  const sessions = createLru<string, TimedSearch[]>(maxSessions, {
    ttl: confirmedMs,
    perf: { now: () => clock.monotonic() },
    // By default, the library caches the time for a millisecond, by a timer.
    ttlResolution: 0,
  });

  /** Gives a session its full TTL if it expires within the TTL of an unconfirmed session. */
  function confirm(id: string): void {
    const searches = sessions.get(id);
    if (!searches || confirmedMs === unconfirmedMs) return;
    if (sessions.getRemainingTTL(id) <= unconfirmedMs) sessions.set(id, searches);
  }

  return {
    canRecord: () => true,
    lost: () => undefined,
    record({ id, confirmed }, search) {
      if (search) {
        const minTtlMs = confirmed ? confirmedMs : unconfirmedMs;
        const ttl = Math.max(minTtlMs, sessions.getRemainingTTL(id));
        sessions.set(id, merge(sessions.get(id) ?? [], search), { ttl });
      } else if (confirmed) confirm(id);
      return Promise.resolve();
    },
    searches(id) {
      confirm(id);
      const searches = sessions.get(id) ?? [];
      return Promise.resolve(searches.map(({ city, country }) => ({ city, country })));
    },
    clearSearches(id) {
      sessions.delete(id);
      return Promise.resolve();
    },
  };
}

/** Adds a search to a list that is ordered by time. Of a place, only the newest search remains. */
function merge(searches: TimedSearch[], search: TimedSearch): TimedSearch[] {
  const isOfPlace = ({ placeKey }: TimedSearch) => placeKey === search.placeKey;
  const others = searches.filter((other) => !isOfPlace(other));
  const earlier = searches.find(isOfPlace);
  const newest = earlier && !isNewer(search, earlier) ? earlier : search;
  const older = others.findIndex((other) => isNewer(newest, other));
  others.splice(older < 0 ? others.length : older, 0, newest);
  return others.slice(0, MAX_RECENT_SEARCHES);
}

/** At equal times, the greater text counts as newer: the order of arrival does not matter. */
function isNewer(a: TimedSearch, b: TimedSearch): boolean {
  if (a.respondedAtUs !== b.respondedAtUs) return a.respondedAtUs > b.respondedAtUs;
  return textOf(a) > textOf(b);
}

function textOf({ placeKey, city, country }: TimedSearch): string {
  return JSON.stringify([placeKey, city, country]);
}

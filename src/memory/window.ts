import { LRUCache } from 'lru-cache';
import {
  groupSize,
  type Counted,
  type LocalWindow,
  type WindowSettings,
} from '../limits/window.js';
import type { Clock } from '../weather/types.js';

/** What one key has counted, by the rule of `MAX_INSTANTS_PER_KEY`. */
interface Log {
  /** The instant of each group, oldest first. */
  instants: number[];
  /** Index of the oldest that has not left the window. */
  first: number;
  /** Admissions of the newest group. */
  newest: number;
}

/** After so many admissions, keys whose window is over are forgotten: at most twice as many. */
const ADMISSIONS_PER_SWEEP = 32;
/** Instants that have left are removed when so many have gathered, or half of all. */
const MIN_REMOVED = 8;

export interface MemoryWindowOptions extends WindowSettings {
  clock: Pick<Clock, 'monotonic'>;
  /** Most keys remembered. */
  maxKeys: number;
  /** Most instants of all keys together, 8 bytes each; at least MAX_INSTANTS_PER_KEY. */
  maxInstants: number;
}

/**
 * A window in this process. Memory is bounded by keys and by instants: beyond either, the key whose
 * last admission is longest ago is forgotten. No timers.
 */
export function createMemoryWindow(options: MemoryWindowOptions): LocalWindow {
  const { limit, windowMs, clock, maxKeys, maxInstants } = options;
  const perGroup = groupSize(limit);
  // Read with `peek`, moved to the front by an admission only: the order is that of last admissions.
  const logs = new LRUCache<string, Log>({ max: maxKeys });
  let instantsInUse = 0;
  let admissions = 0;

  function forgetOldest(): void {
    const log = logs.pop();
    if (log) instantsInUse -= log.instants.length;
  }

  /** Forgetting two for each one that may come keeps up with any traffic. */
  function sweep(now: number): void {
    for (let i = 0; i < 2 * ADMISSIONS_PER_SWEEP; i += 1) {
      const oldest = logs.rvalues().next();
      if (!oldest.value || (oldest.value.instants.at(-1) ?? 0) + windowMs > now) return;
      forgetOldest();
    }
  }

  /** Goes past the instants that have left the window. */
  function age(log: Log, now: number): void {
    const { instants } = log;
    let { first } = log;
    while (first < instants.length && (instants[first] ?? 0) + windowMs <= now) first += 1;
    log.first = first;
    if (first < MIN_REMOVED && first * 2 <= instants.length) return;
    instantsInUse -= first;
    instants.splice(0, first);
    log.first = 0;
  }

  function used({ instants, first, newest }: Log): number {
    const groups = instants.length - first;
    return groups === 0 ? 0 : (groups - 1) * perGroup + newest;
  }

  function look(log: Log | undefined, now: number): Counted {
    if (!log) return { admitted: true, limit, remaining: limit, resetMs: 0 };
    age(log, now);
    const remaining = limit - used(log);
    const oldest = log.instants[log.first];
    const resetMs = oldest === undefined ? 0 : Math.ceil(oldest + windowMs - now);
    return { admitted: remaining > 0, limit, remaining, resetMs };
  }

  function add(key: string, known: Log | undefined, now: number): Log {
    if (!known) {
      if (logs.size >= maxKeys) forgetOldest();
      const log = { instants: [now], first: 0, newest: 1 };
      instantsInUse += 1;
      logs.set(key, log);
      return log;
    }
    const { instants, first, newest } = known;
    logs.get(key);
    if (instants.length > first && newest < perGroup) {
      known.newest += 1;
      instants[instants.length - 1] = now;
    } else {
      known.newest = 1;
      instants.push(now);
      instantsInUse += 1;
    }
    return known;
  }

  return {
    look: (key) => look(logs.peek(key), clock.monotonic()),
    count(key) {
      const now = clock.monotonic();
      const known = logs.peek(key);
      const seen = look(known, now);
      if (!seen.admitted) return seen;
      const log = add(key, known, now);
      while (instantsInUse > maxInstants) forgetOldest();
      admissions += 1;
      if (admissions % ADMISSIONS_PER_SWEEP === 0) sweep(now);
      const oldest = log.instants[log.first] ?? now;
      return {
        admitted: true,
        limit,
        remaining: seen.remaining - 1,
        resetMs: Math.ceil(oldest + windowMs - now),
      };
    },
  };
}

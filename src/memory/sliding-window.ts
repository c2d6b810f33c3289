import { LRUCache } from 'lru-cache';
import {
  MAX_INSTANTS_PER_KEY,
  type SlidingWindow,
  type WindowState,
} from '../limits/sliding-window.js';
import type { Clock } from '../weather/types.js';

/** What one key has counted, oldest first; two plain arrays because there may be many keys. */
interface Counted {
  instants: number[];
  counts: number[];
  total: number;
}

/** Forgetting two for each one that may come keeps up with any traffic at a constant cost. */
const FORGOTTEN_PER_CALL = 2;

export interface MemorySlidingWindowOptions {
  /** Requests per window and key, at least 1. */
  limit: number;
  windowSeconds: number;
  clock: Pick<Clock, 'monotonic'>;
  /** Most keys remembered; beyond it the key whose last admission is longest ago is forgotten. */
  maxKeys: number;
}

/**
 * A sliding window in this process. Memory is bounded: at most `maxKeys` keys, each of about
 * `MAX_INSTANTS_PER_KEY` instants at most, whatever the limit is; no timers.
 */
export function createMemorySlidingWindow(options: MemorySlidingWindowOptions): SlidingWindow {
  const { limit, clock, maxKeys } = options;
  const windowMs = options.windowSeconds * 1000;
  const sliceMs = windowMs / MAX_INSTANTS_PER_KEY;
  // Read with `peek`, written only on admission: the order of the cache is that of last admissions.
  const keys = new LRUCache<string, Counted>({ max: maxKeys });

  /** Rounded up, so that an admission is never taken for older than it is. */
  const instantOf = (now: number): number =>
    limit > MAX_INSTANTS_PER_KEY ? Math.ceil(now / sliceMs) * sliceMs : now;

  function forgetExpired(now: number): void {
    for (let i = 0; i < FORGOTTEN_PER_CALL; i += 1) {
      const [oldest] = keys.rkeys();
      if (oldest === undefined) return;
      const last = keys.peek(oldest)?.instants.at(-1) ?? -Infinity;
      if (last + windowMs > now) return;
      keys.delete(oldest);
    }
  }

  function dropLeft(counted: Counted, now: number): void {
    let left = 0;
    for (const instant of counted.instants) {
      if (instant + windowMs > now) break;
      counted.total -= counted.counts[left] ?? 0;
      left += 1;
    }
    if (left === 0) return;
    counted.instants.splice(0, left);
    counted.counts.splice(0, left);
  }

  function add(counted: Counted, instant: number): void {
    const last = counted.instants.length - 1;
    if (counted.instants[last] === instant) {
      counted.counts[last] = (counted.counts[last] ?? 0) + 1;
    } else {
      counted.instants.push(instant);
      counted.counts.push(1);
    }
    counted.total += 1;
  }

  function consume(key: string): WindowState {
    const now = clock.monotonic();
    forgetExpired(now);
    const counted = keys.peek(key) ?? { instants: [], counts: [], total: 0 };
    dropLeft(counted, now);
    const admitted = counted.total < limit;
    const instant = instantOf(now);
    if (admitted) {
      add(counted, instant);
      keys.set(key, counted);
    }
    return {
      admitted,
      limit,
      remaining: limit - counted.total,
      msUntilOldestLeaves: Math.ceil((counted.instants[0] ?? now) + windowMs - now),
      countedAt: admitted ? instant : -1,
    };
  }

  function refund(key: string, { countedAt }: WindowState): void {
    const counted = keys.peek(key);
    const at = counted?.instants.lastIndexOf(countedAt) ?? -1;
    if (counted === undefined || at === -1) return;
    const left = (counted.counts[at] ?? 0) - 1;
    counted.total -= 1;
    counted.counts[at] = left;
    if (left > 0) return;
    counted.instants.splice(at, 1);
    counted.counts.splice(at, 1);
  }

  return {
    limit,
    consume: (key) => Promise.resolve(consume(key)),
    refund(key, admitted) {
      refund(key, admitted);
      return Promise.resolve();
    },
  };
}

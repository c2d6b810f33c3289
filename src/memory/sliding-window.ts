import { LRUCache } from 'lru-cache';
import { MAX_SLOTS_PER_KEY, type Counted, type LocalWindow } from '../limits/sliding-window.js';
import type { Clock } from '../weather/types.js';

/** What one key has counted: instants in rising order, and how many admissions each stands for. */
interface Log {
  /** Instant, number, instant, number, … in one list, because there may be many keys. */
  slots: number[];
  /** Where the first slot that has not left begins. */
  first: number;
  /** Admissions in the window. */
  count: number;
}

/** After so many admissions, keys whose window is over are forgotten: at most twice as many. */
const ADMISSIONS_PER_SWEEP = 32;

/** Slots that have left are removed when so many numbers of them have gathered, or the half. */
const MIN_NUMBERS_REMOVED = 16;

export interface MemorySlidingWindowOptions {
  /** Requests per window and key, at least 1. */
  limit: number;
  windowSeconds: number;
  clock: Pick<Clock, 'monotonic'>;
  /** Most keys remembered. */
  maxKeys: number;
  /** Most slots remembered for all keys together, 16 bytes each; at least MAX_SLOTS_PER_KEY + 1. */
  maxSlots: number;
}

/**
 * A sliding window in this process. Memory is bounded by keys and by slots: beyond either, the key
 * whose last admission is longest ago is forgotten. No timers.
 */
export function createMemorySlidingWindow(options: MemorySlidingWindowOptions): LocalWindow {
  const { limit, clock, maxKeys, maxSlots } = options;
  const windowMs = options.windowSeconds * 1000;
  const sliceMs = windowMs / MAX_SLOTS_PER_KEY;
  // Read with `peek`, moved to the front by an admission only: the order is that of last admissions.
  const logs = new LRUCache<string, Log>({ max: maxKeys });
  let slotsInUse = 0;
  let admissions = 0;

  /** Rounded up, so that an admission is never taken for older than it is. */
  const instantOf = (now: number): number =>
    limit > MAX_SLOTS_PER_KEY ? Math.ceil(now / sliceMs) * sliceMs : now;

  const lastInstant = ({ slots }: Log): number => slots.at(-2) ?? -Infinity;

  function forgetOldest(): void {
    const log = logs.pop();
    if (log) slotsInUse -= log.slots.length / 2;
  }

  /** Forgetting two for each one that may come keeps up with any traffic. */
  function sweep(now: number): void {
    for (let i = 0; i < 2 * ADMISSIONS_PER_SWEEP; i += 1) {
      const oldest = logs.rvalues().next();
      if (!oldest.value || lastInstant(oldest.value) + windowMs > now) return;
      forgetOldest();
    }
  }

  function removeLeft(log: Log): void {
    if (log.first === 0) return;
    slotsInUse -= log.first / 2;
    log.slots.splice(0, log.first);
    log.first = 0;
  }

  function goPastLeft(log: Log, now: number): void {
    const { slots } = log;
    let { first } = log;
    while (first < slots.length && (slots[first] ?? 0) + windowMs <= now) {
      log.count -= slots[first + 1] ?? 0;
      first += 2;
    }
    log.first = first;
    if (first >= MIN_NUMBERS_REMOVED || first * 2 > slots.length) removeLeft(log);
  }

  function add(log: Log, instant: number): void {
    const { slots } = log;
    const last = slots.length - 2;
    if (slots[last] === instant) {
      slots[last + 1] = (slots[last + 1] ?? 0) + 1;
    } else {
      slots.push(instant, 1);
      slotsInUse += 1;
    }
    log.count += 1;
  }

  /** Takes the place for a new key, and gives it its first admission. */
  function begin(key: string, instant: number): Log {
    if (logs.size >= maxKeys) forgetOldest();
    // Most keys never count more than once: a list of exactly two numbers.
    const log = { slots: [instant, 1], first: 0, count: 1 };
    slotsInUse += 1;
    logs.set(key, log);
    return log;
  }

  function admit(key: string, known: Log | undefined, now: number): Counted {
    const instant = instantOf(now);
    let log = known;
    if (log) {
      add(log, instant);
      logs.get(key);
    } else {
      log = begin(key, instant);
    }
    while (slotsInUse > maxSlots) forgetOldest();
    admissions += 1;
    if (admissions % ADMISSIONS_PER_SWEEP === 0) sweep(now);
    const oldest = log.slots[log.first] ?? instant;
    return {
      admitted: true,
      limit,
      remaining: limit - log.count,
      resetMs: Math.ceil(oldest + windowMs - now),
      countedAt: instant,
    };
  }

  return {
    limit,
    look(key) {
      const now = clock.monotonic();
      const log = logs.peek(key);
      if (!log) return { limit, remaining: limit, resetMs: 0 };
      goPastLeft(log, now);
      const oldest = log.slots[log.first];
      return {
        limit,
        remaining: Math.max(0, limit - log.count),
        resetMs: oldest === undefined ? 0 : Math.ceil(oldest + windowMs - now),
      };
    },
    consume(key) {
      const now = clock.monotonic();
      const log = logs.peek(key);
      if (log) {
        goPastLeft(log, now);
        if (log.count >= limit) {
          const resetMs = Math.ceil((log.slots[log.first] ?? now) + windowMs - now);
          return { admitted: false, limit, remaining: 0, resetMs, countedAt: -1 };
        }
      }
      return admit(key, log, now);
    },
    refund(key, { countedAt }) {
      const log = logs.peek(key);
      if (log === undefined) return;
      const { slots } = log;
      let at = slots.length - 2;
      while (at >= log.first && slots[at] !== countedAt) at -= 2;
      if (at < log.first) return;
      log.count -= 1;
      slots[at + 1] = (slots[at + 1] ?? 0) - 1;
      if (slots[at + 1] !== 0) return;
      slots.splice(at, 2);
      slotsInUse -= 1;
    },
  };
}

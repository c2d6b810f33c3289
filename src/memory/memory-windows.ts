import type { Window, Windows, WindowState } from '../limits/rate-limit-window.js';
import { createLru } from '../base/lru.js';
import type { Clock } from '../weather/types.js';

interface Admissions {
  /** The instants of the admissions, oldest first. */
  instants: number[];
  /** Index of the oldest instant that has not expired. */
  first: number;
  /** The instant at which the newest one expires. */
  endsAt: number;
}

/** Fraction of expired instants at which a log is compacted: CPU time against memory. */
const MAX_EXPIRED = 1 / 4;

/**
 * Creates rate limit windows of this process alone, bounded by keys and by instants. Beyond a
 * bound, the key with the oldest last admission is evicted. There are no timers.
 */
export function createMemoryWindows(options: {
  clock: Pick<Clock, 'monotonic'>;
  maxKeys: number;
  maxInstants: number;
}): Windows {
  const { clock, maxKeys, maxInstants } = options;
  let instantsInUse = 0;
  // Ordered by last admission: reading uses `peek`, which does not change the order.
  const admissionsByKey = createLru<string, Admissions>(maxKeys, {
    dispose: ({ instants }) => {
      instantsInUse -= instants.length;
    },
  });

  /** Removes up to two expired keys for each new one, so that they do not accumulate. */
  function evictExpired(now: number): void {
    for (let i = 0; i < 2; i += 1) {
      const oldest = admissionsByKey.rvalues().next().value;
      if (oldest && oldest.endsAt <= now) admissionsByKey.pop();
    }
  }

  function removeExpired(admissions: Admissions, edge: number): void {
    const { instants } = admissions;
    while (admissions.first < instants.length && (instants[admissions.first] ?? 0) <= edge)
      admissions.first += 1;
    if (admissions.first === 0 || admissions.first < instants.length * MAX_EXPIRED) return;
    instants.splice(0, admissions.first);
    instantsInUse -= admissions.first;
    admissions.first = 0;
  }

  function stateOf({ key, limit, windowMs }: Window, now: number): WindowState {
    const admissions = admissionsByKey.peek(key);
    if (!admissions) return { limit, remaining: limit, resetMs: 0 };
    removeExpired(admissions, now - windowMs);
    const { instants, first } = admissions;
    const remaining = limit - (instants.length - first);
    // If the limit was lowered, the window can have more instants than its limit. When this instant
    // expires, a request is admitted.
    const next = instants[first + Math.max(0, -remaining)];
    return {
      limit,
      remaining: Math.max(0, remaining),
      resetMs: next === undefined ? 0 : Math.ceil(next + windowMs - now),
    };
  }

  function add({ key, windowMs }: Window, state: WindowState | undefined, now: number): void {
    const endsAt = now + windowMs;
    const admissions = admissionsByKey.get(key);
    if (admissions) {
      admissions.instants.push(now);
      admissions.endsAt = endsAt;
    } else {
      evictExpired(now);
      // Most keys have one instant. An empty array would allocate memory for 17 at the first.
      admissionsByKey.set(key, { instants: [now], first: 0, endsAt });
    }
    instantsInUse += 1;
    while (instantsInUse > maxInstants) admissionsByKey.pop();
    if (!state) return;
    state.remaining -= 1;
    state.resetMs ||= Math.ceil(windowMs);
  }

  function removeNewest({ key }: Window): void {
    const admissions = admissionsByKey.peek(key);
    if (!admissions || admissions.first === admissions.instants.length) return;
    admissions.instants.pop();
    instantsInUse -= 1;
  }

  return {
    count(windows, cost) {
      const now = clock.monotonic();
      const states = windows.map((window) => stateOf(window, now));
      const full = states.findIndex(({ remaining }) => remaining < cost);
      if (full < 0 && cost > 0) {
        for (const [i, window] of windows.entries()) add(window, states[i], now);
      }
      if (cost < 0) for (const window of windows) removeNewest(window);
      return { rejectedBy: full < 0 ? undefined : full, states };
    },
  };
}

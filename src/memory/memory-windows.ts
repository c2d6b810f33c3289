import type { Window, Windows, WindowState } from '../limits/rate-limit-window.js';
import { createLru } from '../base/lru.js';
import type { Clock } from '../weather/types.js';

/** The admissions of one key. */
interface Log {
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
 * Creates rate limit windows of this process alone. Memory is bounded by keys and by instants. Beyond either bound, the key
 * with the oldest last admission is evicted. There are no timers.
 * @param options.maxKeys the number of keys, about 300 bytes each
 * @param options.maxInstants the number of instants of all keys, 8 bytes each
 */
export function createMemoryWindows(options: {
  clock: Pick<Clock, 'monotonic'>;
  maxKeys: number;
  maxInstants: number;
}): Windows {
  const { clock, maxKeys, maxInstants } = options;
  let instantsInUse = 0;
  // Ordered by last admission: reading uses `peek`, which does not change the order.
  const logs = createLru<string, Log>(maxKeys, {
    dispose: ({ instants }) => {
      instantsInUse -= instants.length;
    },
  });

  /** Removes up to two expired keys for each new one, so that they do not accumulate. */
  function evictExpired(now: number): void {
    for (let i = 0; i < 2; i += 1) {
      const oldest = logs.rvalues().next().value;
      if (oldest && oldest.endsAt <= now) logs.pop();
    }
  }

  function removeExpired(log: Log, edge: number): void {
    const { instants } = log;
    while (log.first < instants.length && (instants[log.first] ?? 0) <= edge) log.first += 1;
    if (log.first === 0 || log.first < instants.length * MAX_EXPIRED) return;
    instants.splice(0, log.first);
    instantsInUse -= log.first;
    log.first = 0;
  }

  function stateOf({ key, limit, windowMs }: Window, now: number): WindowState {
    const log = logs.peek(key);
    if (!log) return { limit, remaining: limit, resetMs: 0 };
    removeExpired(log, now - windowMs);
    const oldest = log.instants[log.first];
    return {
      limit,
      remaining: Math.max(0, limit - (log.instants.length - log.first)),
      resetMs: oldest === undefined ? 0 : Math.ceil(oldest + windowMs - now),
    };
  }

  function add({ key, windowMs }: Window, state: WindowState | undefined, now: number): void {
    const endsAt = now + windowMs;
    const log = logs.get(key);
    if (log) {
      log.instants.push(now);
      log.endsAt = endsAt;
    } else {
      evictExpired(now);
      // Most keys have one instant. An empty array would allocate memory for 17 instants with the first one.
      logs.set(key, { instants: [now], first: 0, endsAt });
    }
    instantsInUse += 1;
    while (instantsInUse > maxInstants) logs.pop();
    if (!state) return;
    state.remaining -= 1;
    state.resetMs ||= Math.ceil(windowMs);
  }

  return {
    count(windows, cost) {
      const now = clock.monotonic();
      const states = windows.map((window) => stateOf(window, now));
      const full = states.findIndex(({ remaining }) => remaining < cost);
      if (full < 0 && cost > 0) {
        for (const [i, window] of windows.entries()) add(window, states[i], now);
      }
      return { rejectedBy: full < 0 ? undefined : full, states };
    },
  };
}

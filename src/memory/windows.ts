import type { LocalWindows, Window, WindowState } from '../limits/windows.js';
import { createLru } from '../lru.js';
import type { Clock } from '../weather/types.js';

/** What one key has counted. */
interface Log {
  /** The instants of the admissions, oldest first. */
  instants: number[];
  /** Index of the oldest that has not left the window. */
  first: number;
  /** When the newest leaves. */
  endsAt: number;
}

/**
 * Windows in this process. Memory is bounded by keys and by instants: beyond either, the key whose
 * last admission is longest ago is forgotten. No timers.
 * @param options.maxKeys the most keys remembered, some 300 bytes each
 * @param options.maxInstants the most instants of all keys together, 8 bytes each
 */
export function createMemoryWindows(options: {
  clock: Pick<Clock, 'monotonic'>;
  maxKeys: number;
  maxInstants: number;
}): LocalWindows {
  const { clock, maxKeys, maxInstants } = options;
  // Read with `peek`, moved to the front by an admission only: the order is that of last admissions.
  const logs = createLru<string, Log>(maxKeys);
  let instantsInUse = 0;

  function forget(key: string): void {
    const log = logs.peek(key);
    if (!log) return;
    instantsInUse -= log.instants.length;
    logs.delete(key);
  }

  function forgetOldest(): void {
    instantsInUse -= logs.pop()?.instants.length ?? 0;
  }

  /** Forgetting up to two that are over for each one that comes keeps up with any traffic. */
  function makeRoom(now: number): void {
    for (let i = 0; i < 2; i += 1) {
      const oldest = logs.rvalues().next().value;
      if (oldest && (oldest.endsAt <= now || logs.size >= maxKeys)) forgetOldest();
    }
  }

  /** Goes past the instants that have left. They are removed when they are half of all. */
  function age(log: Log, edge: number): void {
    const { instants } = log;
    let { first } = log;
    while (first < instants.length && (instants[first] ?? 0) <= edge) first += 1;
    log.first = first;
    if (first * 2 < instants.length) return;
    instantsInUse -= first;
    instants.splice(0, first);
    log.first = 0;
  }

  function stateOf({ key, limit, windowMs }: Window, now: number): WindowState {
    const log = logs.peek(key);
    if (!log) return { limit, remaining: limit, resetMs: 0 };
    age(log, now - windowMs);
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
      makeRoom(now);
      // Most keys come once. A list that begins empty takes room for 17 instants with the first.
      logs.set(key, { instants: [now], first: 0, endsAt });
    }
    instantsInUse += 1;
    while (instantsInUse > maxInstants) forgetOldest();
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
      return Promise.resolve({ refusedBy: full < 0 ? undefined : full, states });
    },
    forget(windows) {
      if (logs.size > 0) for (const { key } of windows) forget(key);
    },
  };
}

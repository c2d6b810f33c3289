import type { Config, RateLimit } from '../config/config.js';
import type { LocalWindow } from '../limits/sliding-window.js';
import type { LimitKind } from '../stores.js';
import type { Clock } from '../weather/types.js';
import { createMemorySlidingWindow } from './sliding-window.js';

/** Bounds of what the windows of a process keep: clients, and slots of 16 bytes each. */
const BOUNDS = {
  ip: { maxKeys: 100_000, maxSlots: 1_000_000 },
  searches: { maxKeys: 20_000, maxSlots: 200_000 },
  suggestions: { maxKeys: 20_000, maxSlots: 200_000 },
  total: { maxKeys: 1, maxSlots: 2000 },
};

/** While somebody types one name, many suggestions are asked for. */
const SUGGESTIONS_FACTOR = 10;

type WindowName = LimitKind | 'suggestions' | 'total';

/**
 * The windows of this process, each opened when it is first asked for.
 * @param replicas each of so many processes admits its share
 * @returns undefined for a limit that is off
 */
export function createLocalWindows(options: {
  limits: Config['rateLimits'];
  replicas: number;
  clock: Clock;
}): (name: WindowName) => LocalWindow | undefined {
  const { limits, replicas, clock } = options;
  const opened = new Map<string, LocalWindow>();

  function open(name: WindowName, { limit, windowSeconds }: RateLimit): LocalWindow {
    // Suggestions are counted by each process alone, always.
    const share =
      name === 'suggestions'
        ? SUGGESTIONS_FACTOR * limit
        : Math.max(1, Math.floor(limit / replicas));
    const window = createMemorySlidingWindow({
      limit: share,
      windowSeconds,
      clock,
      ...BOUNDS[name],
    });
    opened.set(name, window);
    return window;
  }

  return (name) => {
    const settings = name === 'total' ? limits.total : limits.perIp;
    return settings.limit === 0 ? undefined : (opened.get(name) ?? open(name, settings));
  };
}

import type { Config } from '../config/config.js';
import { limitsOf, type LimitsOf, type RequestKind } from '../limits/limiter.js';
import type { LocalWindow } from '../limits/window.js';
import type { Clock } from '../weather/types.js';
import { createMemoryWindow } from './window.js';

/** Bounds of what the windows of a process keep: clients, and instants of 8 bytes each. */
const BOUNDS = {
  weather: { maxKeys: 100_000, maxInstants: 1_000_000 },
  searches: { maxKeys: 20_000, maxInstants: 200_000 },
  suggestions: { maxKeys: 20_000, maxInstants: 200_000 },
  total: { maxKeys: 1, maxInstants: 1000 },
};

/**
 * The windows of this process by kind of request, each opened when it is first asked for.
 * @param options.replicas each of so many processes admits its share of what all count together
 */
export function createMemoryLimits(options: {
  limits: Config['rateLimits'];
  replicas: number;
  clock: Clock;
}): (kind: RequestKind) => LimitsOf<LocalWindow> {
  const { limits, replicas, clock } = options;
  const opened = new Map<string, LocalWindow>();

  function open(name: keyof typeof BOUNDS, limit: number, windowSeconds: number): LocalWindow {
    const known = opened.get(name);
    if (known) return known;
    const windowMs = windowSeconds * 1000;
    const window = createMemoryWindow({ limit, windowMs, clock, ...BOUNDS[name] });
    opened.set(name, window);
    return window;
  }

  return (kind) => {
    const { per_ip, total } = limitsOf(kind, limits);
    const parts = kind === 'suggestions' ? 1 : replicas;
    const share = (limit: number) => Math.max(1, Math.floor(limit / parts));
    return {
      per_ip: per_ip && open(kind, share(per_ip.limit), per_ip.windowSeconds),
      total: total && open('total', share(total.limit), total.windowSeconds),
    };
  };
}

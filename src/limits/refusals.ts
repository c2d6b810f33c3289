import { createLru } from '../lru.js';
import type { Clock } from '../weather/types.js';
import type { Windows } from './windows.js';

/**
 * Redis's clock and ours may drift apart by this part of a wait. A refusal is forgotten so much
 * earlier; then the store is asked, and nobody is refused whom it would admit.
 */
const DRIFT = 0.001;

interface Refusal {
  /** Until then the store would refuse too. Milliseconds of the monotonic clock, as `resetAt`. */
  until: number;
  /** From then on the store admits for certain. */
  resetAt: number;
}

/**
 * What the shared windows refused: they need not be asked again before the reset time. Memory is
 * bounded; a refusal that had to make room is only asked for again.
 * @param options.maxRefusals one for each window that is full
 */
export function rememberingRefusals(
  shared: Windows,
  { clock, maxRefusals }: { clock: Pick<Clock, 'monotonic'>; maxRefusals: number },
): Windows {
  const refusals = createLru<string, Refusal>(maxRefusals);

  /** Milliseconds until the window admits; undefined: it must be asked. */
  function waitOf(key: string): number | undefined {
    const refusal = refusals.get(key);
    if (refusal === undefined) return undefined;
    const now = clock.monotonic();
    if (refusal.until > now) return Math.ceil(refusal.resetAt - now);
    refusals.delete(key);
    return undefined;
  }

  return {
    async count(windows, cost, time) {
      const waits = refusals.size > 0 ? windows.map(({ key }) => waitOf(key)) : [];
      const known = waits.findIndex((wait) => wait !== undefined);
      if (known >= 0) {
        const states = windows.map(({ limit }, i) => {
          const resetMs = waits[i];
          return i === known && resetMs !== undefined
            ? { limit, remaining: 0, resetMs }
            : undefined;
        });
        return { refusedBy: known, states };
      }
      const askedAt = clock.monotonic();
      const counted = await shared.count(windows, cost, time);
      const by = counted.refusedBy;
      if (by === undefined) return counted;
      const resetMs = counted.states[by]?.resetMs ?? 0;
      refusals.set(windows[by]?.key ?? '', {
        until: askedAt + resetMs * (1 - DRIFT),
        resetAt: clock.monotonic() + resetMs,
      });
      return counted;
    },
  };
}

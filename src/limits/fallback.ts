import { ifUnavailable } from '../errors.js';
import type { Clock } from '../weather/types.js';
import type { LocalWindows, Windows } from './windows.js';

/**
 * The longest wait that a process tells which counts alone: the store may be back by then. Doubled:
 * clients that were refused during a short fault of Redis stay away 10 s longer.
 */
const MAX_WAIT_MS = 10_000;
/**
 * So long the store may have a hiccup, and the first shares hold; after so long without one it is well. Doubled:
 * at the begin of an outage many replicas together may admit more than twice a limit for 2 s longer.
 */
const HICCUP_MS = 2000;

/**
 * Shared windows; while their store is unavailable, this process's share of them. The local windows
 * count nothing else, and begin anew when the store is well again.
 */
export function withFallback(
  shared: Windows,
  local: LocalWindows,
  clock: Pick<Clock, 'monotonic'>,
): Windows {
  let awaySince: number | undefined;
  let awayAt = -Infinity;
  return {
    async count(windows, cost, time) {
      const counted = await ifUnavailable(shared.count(windows, cost, time), undefined);
      if (counted) {
        // A refusal may be one that this process remembers, and says nothing of the store.
        if (counted.refusedBy !== undefined) return counted;
        // A store that comes and goes would give the shares again and again.
        if (clock.monotonic() - awayAt >= HICCUP_MS) local.forget(windows);
        awaySince = undefined;
        return counted;
      }
      awayAt = clock.monotonic();
      awaySince ??= awayAt;
      const isHiccup = awayAt - awaySince < HICCUP_MS;
      const shares = windows.map((window) => {
        const { share, firstShare = share } = window;
        return { ...window, limit: isHiccup ? firstShare : share };
      });
      const own = await local.count(shares, cost);
      for (const state of own.refusedBy === undefined ? [] : own.states) {
        if (state) state.resetMs = Math.min(state.resetMs, MAX_WAIT_MS);
      }
      return own;
    },
  };
}

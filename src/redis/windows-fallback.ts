import { StoreUnavailableError } from '../base/errors.js';
import type { CountResult, Window, Windows } from '../limits/rate-limit-window.js';
import { FALLBACK_WAIT_MS } from './client/timing.js';

/**
 * Counts in Redis. While Redis is unavailable, this process counts alone, within its per-process limits.
 * @param local counts only what this process admits alone, so an outage begins at zero. It is not reset:
 *   however often Redis fails, a process admits its per-process limits once in a window
 */
export function withFallback(shared: Windows, local: Windows): Windows {
  async function countAlone(windows: readonly Window[], cost: 0 | 1): Promise<CountResult> {
    const perProcess = windows.map((window) => ({ ...window, limit: window.perProcessLimit }));
    const own = await local.count(perProcess, cost);
    for (const state of own.rejectedBy === undefined ? [] : own.states) {
      if (state) state.resetMs = Math.min(state.resetMs, FALLBACK_WAIT_MS);
    }
    return own;
  }

  return {
    count: (windows, cost) =>
      shared.count(windows, cost).catch((error: unknown) => {
        if (error instanceof StoreUnavailableError) return countAlone(windows, cost);
        throw error;
      }),
  };
}

import { StoreUnavailableError } from '../base/errors.js';
import { createLru } from '../base/lru.js';
import { mapMaybePromise } from '../base/map-maybe-promise.js';
import type { CountResult, Cost, Window, Windows } from '../limits/rate-limit-window.js';
import type { Clock } from '../weather/types.js';
import { FALLBACK_WAIT_MS, REJECTION_MS } from './client/timing.js';

/** Maximum number of full windows that a process remembers, one for each rejected client. */
const MAX_REJECTIONS = 20_000;
/** The clocks of Redis and of this process may drift apart by this fraction of a wait. */
const DRIFT = 0.001;

/**
 * Counts in Redis, but decides without it in two cases: a window that Redis has found full still
 * rejects, so a rejected client costs Redis nothing, and while Redis is unavailable, this process
 * counts alone, within its per-process limits.
 * @param local counts only while Redis is unavailable. A second outage within a window continues
 *   the count, so a process never exceeds its per-process limits
 * @param mayRepeat whether a rejection may be repeated now, without the states of the other windows
 */
export function withFallback(
  shared: Windows,
  local: Windows,
  clock: Pick<Clock, 'monotonic'>,
  mayRepeat: () => boolean,
): Windows {
  /** By key: until when Redis rejects, and from when on it admits, in monotonic milliseconds. */
  const rejections = createLru<string, { until: number; resetAt: number }>(MAX_REJECTIONS);

  /** The rejection of one of these windows that Redis would repeat now. */
  function repeatedRejection(windows: readonly Window[]): CountResult | undefined {
    if (rejections.size === 0 || !mayRepeat()) return undefined;
    const now = clock.monotonic();
    for (const [i, { key, limit }] of windows.entries()) {
      const rejection = rejections.get(key);
      if (!rejection || rejection.until <= now) continue;
      const state = { limit, remaining: 0, resetMs: Math.ceil(rejection.resetAt - now) };
      return { rejectedBy: i, states: windows.map((_, n) => (n === i ? state : undefined)) };
    }
    return undefined;
  }

  function countAlone(windows: readonly Window[], cost: Cost): CountResult | Promise<CountResult> {
    const perProcess = windows.map((window) => ({ ...window, limit: window.perProcessLimit }));
    return mapMaybePromise(local.count(perProcess, cost), (own) => {
      for (const state of own.rejectedBy === undefined ? [] : own.states) {
        if (state) state.resetMs = Math.min(state.resetMs, FALLBACK_WAIT_MS);
      }
      return own;
    });
  }

  return {
    count(windows, cost) {
      const rejection = cost < 0 ? undefined : repeatedRejection(windows);
      if (rejection) return rejection;
      const sentAt = clock.monotonic();
      const remember = (counted: CountResult) => {
        const { rejectedBy, states } = counted;
        if (rejectedBy !== undefined) {
          const resetMs = states[rejectedBy]?.resetMs ?? 0;
          rejections.set(windows[rejectedBy]?.key ?? '', {
            // Redis decided at an unknown instant between the command and its reply.
            until: sentAt + Math.min(resetMs * (1 - DRIFT), REJECTION_MS),
            resetAt: clock.monotonic() + resetMs,
          });
        }
        return counted;
      };
      return Promise.resolve(shared.count(windows, cost)).then(remember, (error: unknown) => {
        if (!(error instanceof StoreUnavailableError)) throw error;
        return countAlone(windows, cost);
      });
    },
  };
}

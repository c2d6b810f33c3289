import { createLru } from '../base/lru.js';
import type { Clock } from '../weather/types.js';
import type { CountResult, Window, Windows } from '../limits/rate-limit-window.js';
import { REJECTION_MS } from './client/timing.js';

/** Maximum number of full windows that a process remembers, one for each rejected client. */
const MAX_REJECTIONS = 20_000;
/** The clocks of Redis and of this process may drift apart by this fraction of a wait. */
const DRIFT = 0.001;

/**
 * Remembers which shared windows are full, so that a rejected client costs Redis nothing.
 * @param options.isAvailable whether Redis can decide now. If not, no rejection is repeated
 */
export function withRememberedRejections(
  shared: Windows,
  options: { clock: Pick<Clock, 'monotonic'>; isAvailable: () => boolean },
): Windows {
  const { clock, isAvailable } = options;
  /** By key: until when Redis would reject, and from when on it admits. Monotonic milliseconds. */
  const rejections = createLru<string, { until: number; resetAt: number }>(MAX_REJECTIONS);

  /** The rejection of one of these windows that Redis would repeat now. */
  function known(windows: readonly Window[]): CountResult | undefined {
    if (rejections.size === 0 || !isAvailable()) return undefined;
    const now = clock.monotonic();
    for (const [i, { key, limit }] of windows.entries()) {
      const rejection = rejections.get(key);
      if (!rejection || rejection.until <= now) continue;
      const state = { limit, remaining: 0, resetMs: Math.ceil(rejection.resetAt - now) };
      return { rejectedBy: i, states: windows.map((_, n) => (n === i ? state : undefined)) };
    }
    return undefined;
  }

  function remember(
    windows: readonly Window[],
    { rejectedBy, states }: CountResult,
    sentAt: number,
  ): void {
    if (rejectedBy === undefined) return;
    const resetMs = states[rejectedBy]?.resetMs ?? 0;
    rejections.set(windows[rejectedBy]?.key ?? '', {
      // Redis decided at an unknown instant between the command and its reply.
      until: sentAt + Math.min(resetMs * (1 - DRIFT), REJECTION_MS),
      resetAt: clock.monotonic() + resetMs,
    });
  }

  return {
    async count(windows, cost) {
      const rejection = known(windows);
      if (rejection) return rejection;
      const sentAt = clock.monotonic();
      const counted = await shared.count(windows, cost);
      remember(windows, counted, sentAt);
      return counted;
    },
  };
}

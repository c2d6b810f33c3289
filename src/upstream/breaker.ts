import type { Clock } from '../weather/types.js';

/** When a breaker opens, and for how long, in milliseconds. */
export const BREAKER_POLICY = {
  failuresToOpen: 3,
  /**
   * How long it stays open at first. The time doubles after each failed probe, up to `maxOpenMs`.
   * Doubled: after a short fault of a provider, fetches go to the next one for 10 s instead of 5.
   */
  firstOpenMs: 5_000,
  /**
   * Only a quota may keep an upstream closed off for longer. Doubled: a provider that is well again is
   * used up to a minute later.
   */
  maxOpenMs: 30_000,
} as const;

/**
 * The wait in milliseconds that a call is told when it is refused during a probe. Doubled:
 * `Retry-After` says 2 s instead of 1.
 */
const PROBE_WAIT_MS = 1000;

export type Breaker = ReturnType<typeof createBreaker>;

/**
 * The circuit breaker of one upstream in one process. It opens at the third failure in a row, or at
 * the first that says how long it lasts. After that time it admits one probe at a time, whose outcome
 * decides.
 */
export function createBreaker(clock: Pick<Clock, 'monotonic'>) {
  const { failuresToOpen, firstOpenMs, maxOpenMs } = BREAKER_POLICY;
  let failures = 0;
  let openings = 0;
  /** Set while open; from then on a probe may pass. */
  let openUntil: number | undefined;
  let openedBy: string | undefined;
  let probing = false;

  const probedInMs = () => Math.max(0, (openUntil ?? 0) - clock.monotonic());

  return {
    /** Milliseconds for which it refuses calls; 0: the next call is admitted. */
    refusesMs(): number {
      if (openUntil === undefined) return 0;
      return Math.max(probedInMs(), probing ? PROBE_WAIT_MS : 0);
    },
    /** A call begins that was not refused. @returns whether it is the probe */
    begin(): boolean {
      const isProbe = openUntil !== undefined;
      probing ||= isProbe;
      return isProbe;
    },
    /** @returns whether it closed */
    succeeded(): boolean {
      // This call began before the opening, and says nothing: a used-up quota stays used up.
      if (probedInMs() > 0) return false;
      const closed = openUntil !== undefined;
      failures = 0;
      openings = 0;
      openUntil = undefined;
      openedBy = undefined;
      return closed;
    },
    /**
     * @param reason the failure, in words
     * @param lastsMs how long the upstream says that it will not answer
     * @returns whether it opened
     */
    failed(reason: string, lastsMs?: number): boolean {
      const now = clock.monotonic();
      if (openUntil !== undefined && openUntil > now) {
        // This call began before the opening: only a longer wait is news.
        const until = now + (lastsMs ?? 0);
        if (until > openUntil) [openUntil, openedBy] = [until, reason];
        return false;
      }
      const wasOpen = openUntil !== undefined;
      failures += 1;
      if (!wasOpen && lastsMs === undefined && failures < failuresToOpen) return false;
      openUntil = now + (lastsMs ?? Math.min(firstOpenMs * 2 ** openings, maxOpenMs));
      openedBy = reason;
      openings += 1;
      return !wasOpen;
    },
    /** The failure that opened it, or with which its last probe ended; undefined while it is closed. */
    openedBy: () => openedBy,
    /** The probe has ended, whether it said anything about the upstream or was given up. */
    probeEnded() {
      probing = false;
    },
  };
}

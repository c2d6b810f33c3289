import type { Instruments } from '../../process/instruments.js';
import type { Logger } from '../../process/log.js';
import type { Fault } from './errors.js';

/**
 * Trouble is told, and over, when it has lasted, or not been seen, for so long. Doubled: the log, the
 * gauge and readiness say a second later that Redis is unavailable.
 */
const LASTING_MS = 1000;
/**
 * The same where Redis is slow: the replies of a hiccup come for a while after it. Doubled: it is told 3 s
 * later, and searches that could not be recorded are kept in memory for as long.
 */
export const LASTING_SLOW_MS = 3000;
/**
 * What comes in a row is told once in this time: recoveries (faults in a row are one outage), error
 * replies, and a missing permission, which counts for so long. Doubled: after two faults in a row, and
 * once a user may do all again, log, gauge and readiness say unavailable for up to 30 s more.
 */
export const TOLD_APART_MS = 30_000;

/** Tells in the log and the gauge how Redis is: slowly, whereas using it or not is decided at once. */
export function createTelling(log: Logger, instruments: Instruments) {
  /** The reasons of this outage that were logged, the last one last. */
  const reasons = new Set<string>();
  let [since, seenAt, recoveredAt] = [-Infinity, -Infinity, -Infinity];
  let observedAt: number | undefined;
  let wasWell = false;
  let isLasting = false;

  /** Each reason is logged once in an outage. */
  function unavailable({ reason, detail }: Fault): void {
    instruments.redisUnavailable({ reason, detail });
    if (reasons.has(reason)) return;
    const before = [...reasons].at(-1);
    reasons.add(reason);
    if (before === undefined) log.warn({ event: 'redis_unavailable', reason, detail });
    else log.warn({ event: 'redis_reason_changed', reason, detail, before });
  }

  return {
    /** @param fault what is wrong now, and since when */
    observe(fault: (Fault & { since: number }) | undefined): void {
      const now = performance.now();
      observedAt ??= now;
      if (fault) {
        // Nothing counts that was before the first look.
        if (now - seenAt >= LASTING_MS) since = Math.max(fault.since, observedAt);
        seenAt = now;
        isLasting = now - since >= (fault.reason === 'slow' ? LASTING_SLOW_MS : LASTING_MS);
        if (isLasting) unavailable(fault);
        return;
      }
      isLasting = false;
      // A first connection that came a moment late is no begin of what follows.
      if (!wasWell && reasons.size === 0) seenAt = -Infinity;
      wasWell = true;
      const reason = [...reasons].at(-1);
      if (reason !== undefined) {
        if (now - seenAt < LASTING_MS || now - recoveredAt < TOLD_APART_MS) return;
        recoveredAt = now;
        reasons.clear();
        log.info({ event: 'redis_recovered', reason });
      }
      instruments.redisUnavailable(undefined);
    },
    /** Whether what is wrong now has lasted. */
    get isLasting() {
      return isLasting;
    },
    /** Whether nothing was wrong for a while. */
    get isQuiet() {
      return performance.now() - seenAt >= LASTING_MS;
    },
  };
}

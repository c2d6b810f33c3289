/** How long everything must have gone well before a fault counts as over. */
const FIRST_MS = 2000;
const LONGEST_MS = 30_000;
/** A fault so soon after the one before doubles the time. */
const RELAPSE_MS = 60_000;

/** Decides when a fault is over: after a while without a sign of it, longer after each relapse. */
export interface Probation {
  /** A fault begins. */
  begin(): void;
  /** The fault still shows. */
  failed(): void;
  /**
   * All went well now. @returns whether the fault is over
   * @param atOnce there is a reason to believe it without waiting
   */
  passed(atOnce?: boolean): boolean;
}

/** @param now milliseconds of a monotonic clock */
export function createProbation(now: () => number): Probation {
  let requiredMs = FIRST_MS;
  let endedAt = -Infinity;
  let wellSince: number | undefined;
  return {
    begin() {
      const relapse = now() - endedAt < RELAPSE_MS;
      requiredMs = relapse ? Math.min(requiredMs * 2, LONGEST_MS) : FIRST_MS;
      wellSince = undefined;
    },
    failed() {
      wellSince = undefined;
    },
    passed(atOnce = false) {
      wellSince ??= now();
      if (!atOnce && now() - wellSince < requiredMs) return false;
      endedAt = now();
      return true;
    },
  };
}

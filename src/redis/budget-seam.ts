import type { Budget } from '../upstream/budgets.js';
import type { Clock } from '../weather/types.js';

/** Longer windows take no part: nobody would wait an hour for a store. */
const LONGEST_WINDOW_SECONDS = 60;
/** Processes notice the end and the return of the store at different times, so far apart (ms). */
const SKEW_MS = 2000;
/** The store is looked at about once a second. Nothing for so long, and it was unavailable (ms). */
const MISSED_MS = 2500;

/**
 * Keeps the calls that the shared store counted apart from those that each process counted for
 * itself. Between the two, no call is made for the length of a window: each side may have used its
 * budget up by then, and does not know of the other.
 */
export interface BudgetSeam {
  /** The store was reached. */
  reached(): void;
  /** The same, and this is what it says since when it counts: another value, and it lost its counts. */
  sawSince(since: string | null): void;
  /** The store counted a call. */
  counted(): void;
  /**
   * The store did not count. @returns milliseconds until this process may use its own share
   * @param reachable whether it answered: then it takes no writes
   */
  localWaitMs(reachable: boolean): number;
  /** Milliseconds until calls that the store counts may be made. */
  sharedWaitMs(): number;
}

export function createBudgetSeam({ windows }: Budget, clock: Clock): BudgetSeam {
  const short = windows
    .map(({ windowSeconds }) => windowSeconds)
    .filter((seconds) => seconds <= LONGEST_WINDOW_SECONDS);
  const quietMs = short.length > 0 ? Math.max(...short) * 1000 + SKEW_MS : 0;
  let reachedAt = clock.monotonic();
  /** Since when it answers, and takes no writes. */
  let uncountedSince: number | undefined;
  let quietUntil = -Infinity;
  let countsSince: string | undefined;

  /** It counts again. In a shorter outage nobody has used a share of its own. */
  function back(since: number): void {
    const now = clock.monotonic();
    if (now - since >= quietMs) quietUntil = now + quietMs;
  }

  function reached(): void {
    if (clock.monotonic() - reachedAt > MISSED_MS) back(reachedAt);
    reachedAt = clock.monotonic();
  }

  return {
    reached,
    sawSince(since) {
      if (countsSince !== undefined && since !== countsSince) {
        quietUntil = clock.monotonic() + quietMs;
      }
      countsSince = since ?? undefined;
      reached();
    },
    counted() {
      reached();
      if (uncountedSince !== undefined) back(uncountedSince);
      uncountedSince = undefined;
    },
    localWaitMs(reachable) {
      if (reachable) uncountedSince ??= clock.monotonic();
      const since = (reachable ? uncountedSince : undefined) ?? reachedAt;
      return Math.max(0, since + quietMs - clock.monotonic());
    },
    sharedWaitMs: () => Math.max(0, quietUntil - clock.monotonic()),
  };
}

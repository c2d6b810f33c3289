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
  /** The store counted a call. */
  counted(): void;
  /** The store could not count. @returns milliseconds until this process may use its own share */
  localWaitMs(): number;
  /** Milliseconds until calls that the store counts may be made. */
  sharedWaitMs(): number;
}

export function createBudgetSeam({ windows }: Budget, clock: Clock): BudgetSeam {
  const short = windows
    .map(({ windowSeconds }) => windowSeconds)
    .filter((seconds) => seconds <= LONGEST_WINDOW_SECONDS);
  const quietMs = short.length > 0 ? Math.max(...short) * 1000 + SKEW_MS : 0;
  let reachedAt = clock.monotonic();
  /** Since then the store has counted nothing, while somebody asked it to. */
  let uncountedSince: number | undefined;
  let quietUntil = -Infinity;

  function back(since: number): void {
    const now = clock.monotonic();
    // In a shorter outage nobody has used a share of its own.
    if (now - since >= quietMs) quietUntil = now + quietMs;
    uncountedSince = undefined;
  }

  return {
    reached() {
      if (clock.monotonic() - reachedAt > MISSED_MS) back(reachedAt);
      reachedAt = clock.monotonic();
    },
    counted() {
      if (uncountedSince !== undefined) back(uncountedSince);
      reachedAt = clock.monotonic();
    },
    localWaitMs() {
      uncountedSince ??= reachedAt;
      return Math.max(0, uncountedSince + quietMs - clock.monotonic());
    },
    sharedWaitMs: () => Math.max(0, quietUntil - clock.monotonic()),
  };
}

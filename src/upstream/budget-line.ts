import { setTimeout as sleep } from 'node:timers/promises';
import { UpstreamError } from '../errors.js';
import type { Clock } from '../weather/types.js';
import { createSemaphore } from './semaphore.js';

/** The least and the longest time between two attempts, in milliseconds. */
const LEAST_WAIT_MS = 25;
const LONGEST_WAIT_MS = 1000;

/**
 * Waits in line until a call fits into a budget: first come, first served, and only the first in line
 * asks. It repeats the attempt while that fails because a budget is spent.
 * @param patienceMs a wait that ends later is not begun
 * @param attempt is to call `admitted` as soon as its call may begin: then it is the next one's turn
 * @throws what the attempt threw last; the signal's reason when it aborts
 */
export type BudgetLine = <T>(
  signal: AbortSignal,
  patienceMs: number,
  attempt: (admitted: () => void) => Promise<T>,
) => Promise<T>;

export function createBudgetLine(clock: Clock): BudgetLine {
  const line = createSemaphore(1);

  return async (signal, patienceMs, attempt) => {
    const until = clock.monotonic() + patienceMs;
    const leave = await line.acquire(signal);
    try {
      for (;;) {
        try {
          return await attempt(leave);
        } catch (error) {
          if (!isOverBudget(error)) throw error;
          const waitMs = error.retryAfterMs ?? 0;
          if (clock.monotonic() + waitMs > until) throw error;
          const pauseMs = Math.min(Math.max(waitMs, LEAST_WAIT_MS), LONGEST_WAIT_MS);
          await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
          signal.throwIfAborted();
        }
      }
    } finally {
      leave();
    }
  };
}

/** Whether an upstream was not asked because its budget is spent. */
export function isOverBudget(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && error.kind === 'over_budget';
}

import { setTimeout as sleep } from 'node:timers/promises';
import { UpstreamError } from '../errors.js';
import type { Clock } from '../weather/types.js';

/**
 * How long a fetch waits for a spent budget, in milliseconds. Doubled: a cold place takes up to four
 * seconds before it is 503 while a budget stays spent, and fewer are 503 around a busy second.
 */
const PATIENCE_MS = 2000;

/** Whether an upstream was not asked because its budget is spent. */
export function isOverBudget(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && error.kind === 'over_budget';
}

/**
 * Makes an attempt, and repeats it when the budget that refused it is free, unless that is too late.
 * @throws what the last attempt threw; the signal's reason when it aborts
 */
export async function waitForBudget<T>(
  clock: Pick<Clock, 'monotonic'>,
  signal: AbortSignal,
  attempt: () => Promise<T>,
): Promise<T> {
  const until = clock.monotonic() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = isOverBudget(error) ? (error.retryAfterMs ?? 0) : Infinity;
      if (clock.monotonic() + waitMs > until) throw error;
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { UpstreamError } from '../errors.js';
import type { Clock } from '../weather/types.js';

/** At most `limit` calls in any interval of `windowSeconds`. */
export interface CallWindow {
  limit: number;
  windowSeconds: number;
}

/** How many calls the whole fleet may make to one provider. */
export interface Budget {
  /** Upstreams whose budgets have one name share it. */
  name: string;
  windows: CallWindow[];
}

/** The budgets by upstream. An upstream without one may be called at any rate. */
export type Budgets = ReadonlyMap<string, Budget>;

/** How many calls still fit into one window of a budget. */
export interface BudgetState extends CallWindow {
  remaining: number;
}

/** Whether a call may be made. */
export interface CallPermission {
  /** Milliseconds until a call fits; 0: this one is counted. */
  waitMs: number;
  /** The provider said that its quota is used up for so long, in milliseconds, to any process; 0: no. */
  quotaMs: number;
}

/**
 * What all processes together may ask of the providers. While the shared store is unavailable each
 * process has its share at once: no call throws for that, and none waits.
 */
export interface CallBudgets {
  /** Counts a call that is about to begin, or says how long it must wait. */
  take(upstream: string): Promise<CallPermission>;
  /** The upstream said that its quota is used up for so many milliseconds: all processes learn it. */
  quotaUsedUp(upstream: string, lastsMs: number): Promise<void>;
  /** The windows of an upstream's budget as they are now; empty when it has none. */
  state(upstream: string): Promise<BudgetState[]>;
}

/**
 * A call counts when it begins, and may reach the provider so much later (ms) than another one that
 * began before it. Doubled: each window admits its calls in a quarter of a second more.
 */
const MAX_ARRIVAL_DELAY_MS = 250;

/** How long a call counts, in milliseconds. */
export function windowMsOf({ windowSeconds }: CallWindow): number {
  return windowSeconds * 1000 + MAX_ARRIVAL_DELAY_MS;
}

/** The same budgets; the log tells, once each time, that one is spent, and that it is free again. */
export function tellBudgets(
  counting: CallBudgets,
  { budgets, clock, log }: { budgets: Budgets; clock: Pick<Clock, 'monotonic'>; log: Logger },
): CallBudgets {
  /** When a call was refused last, by the name of each budget that was told as spent. */
  const refusedAt = new Map<string, number>();

  function tell({ name: provider, windows }: Budget, waitMs: number): void {
    const now = clock.monotonic();
    const before = refusedAt.get(provider);
    if (waitMs > 0) {
      refusedAt.set(provider, now);
      if (before !== undefined) return;
      log.warn({ event: 'provider_budget_spent', provider, retry_after_ms: waitMs });
    } else if (before !== undefined) {
      // Single calls fit again and again while a budget is spent: it is free when no call was refused
      // for as long as its shortest window.
      if (now - before < Math.min(...windows.map(windowMsOf))) return;
      refusedAt.delete(provider);
      log.info({ event: 'provider_budget_free', provider });
    }
  }

  return {
    ...counting,
    async take(upstream) {
      const permission = await counting.take(upstream);
      const budget = budgets.get(upstream);
      if (budget) tell(budget, permission.waitMs);
      return permission;
    },
  };
}

/**
 * How long a fetch waits for a spent budget, in milliseconds. Doubled: a cold place takes up to four
 * seconds before it is 503 while a budget stays spent, and fewer are 503 around a busy second.
 */
const MAX_BUDGET_WAIT_MS = 2000;

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
  const until = clock.monotonic() + MAX_BUDGET_WAIT_MS;
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

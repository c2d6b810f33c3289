import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { UpstreamError } from '../weather/errors.js';
import { windowOf, type Limit, type Window, type Windows } from '../limits/rate-limit-window.js';
import type { Clock } from '../weather/types.js';

/** The number of calls that all processes together may make to one provider. */
export interface Budget {
  /** Upstream services whose budgets have the same name share one budget. */
  name: string;
  windows: Limit[];
}

/** The budgets by upstream service. A service without a budget may be called at any rate. */
export type Budgets = ReadonlyMap<string, Budget>;

/**
 * The part of a long window's calls for places without an entry. Crawlers request only such places,
 * and must not use up the calls that keep other places fresh. Short windows soon have calls again.
 */
const NEW_PLACES_SHARE = 0.75;
const LONG_WINDOW_SECONDS = 3600;
/** A call counts when it starts. It may arrive this many milliseconds later than another one. */
const MAX_ARRIVAL_DELAY_MS = 250;

export type CallBudgets = ReturnType<typeof createCallBudgets>;

/**
 * Creates the budgets. Logs once when a budget is used up, and once when it is available again.
 * @param options.windows while the shared store is unavailable, these use the per-process limits
 * @param options.replicas the number of processes by which a budget is divided then
 */
export function createCallBudgets(options: {
  budgets: Budgets;
  windows: Windows;
  replicas: number;
  clock: Pick<Clock, 'monotonic'>;
  log: Logger;
}) {
  const { budgets, windows, replicas, clock, log } = options;
  /** When the budgets that are reported as used up are available again, by name (monotonic). */
  const usedUp = new Map<string, number>();

  function windowsOf({ name, windows: limits }: Budget, isRefresh: boolean): Window[] {
    return limits.map(({ limit: whole, windowSeconds }) => {
      const isShared = isRefresh || windowSeconds < LONG_WINDOW_SECONDS;
      const limit = {
        limit: isShared ? whole : Math.ceil(whole * NEW_PLACES_SHARE),
        windowSeconds,
      };
      const window = windowOf(`{${name}}:calls:${windowSeconds}`, limit, replicas);
      return { ...window, windowMs: window.windowMs + MAX_ARRIVAL_DELAY_MS };
    });
  }

  function report({ name: provider, windows: limits }: Budget, waitMs: number): void {
    const now = clock.monotonic();
    const until = usedUp.get(provider);
    if (waitMs !== 0) {
      // At least the shortest window: near the limit, some calls are counted between rejections.
      const shortestMs = Math.min(...limits.map(({ windowSeconds }) => windowSeconds)) * 1000;
      usedUp.set(provider, now + Math.max(waitMs, shortestMs + MAX_ARRIVAL_DELAY_MS));
      if (until !== undefined) return;
      log.warn({ event: 'provider_budget_exhausted', provider, retry_after_ms: waitMs });
    } else if (until !== undefined && now >= until) {
      usedUp.delete(provider);
      log.info({ event: 'provider_budget_restored', provider });
    }
  }

  return {
    /**
     * Counts a call. Returns 0, or the milliseconds until a call fits: then it was not counted.
     * @param isRefresh see `UpstreamCall`
     */
    async take(upstream: string, isRefresh = false): Promise<number> {
      const budget = budgets.get(upstream);
      if (!budget) return 0;
      const { rejectedBy, states } = await windows.count(windowsOf(budget, isRefresh), 1);
      const waits = states.map((state) => (state?.remaining === 0 ? state.resetMs : 0));
      const waitMs = rejectedBy === undefined ? 0 : Math.max(1, ...waits);
      report(budget, waitMs);
      return waitMs;
    },
    /** Whether the budget with this name is reported as used up. */
    isUsedUp(name: string): boolean {
      return clock.monotonic() < (usedUp.get(name) ?? -Infinity);
    },
    /** The windows of the budget of an upstream service; empty if it has none. */
    async state(upstream: string): Promise<(Limit & { remaining: number })[]> {
      const budget = budgets.get(upstream);
      if (!budget) return [];
      const { states } = await windows.count(windowsOf(budget, true), 0);
      return budget.windows.map(({ windowSeconds, limit }, i) => ({
        windowSeconds,
        limit: states[i]?.limit ?? limit,
        remaining: states[i]?.remaining ?? 0,
      }));
    },
  };
}

/** A fetch waits for a budget at most this long before its request receives a 503. */
const MAX_BUDGET_WAIT_MS = 2000;

/** Returns whether an upstream service was not called because its budget is used up. */
export function isOverBudget(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && error.kind === 'over_budget';
}

/**
 * Makes an attempt. Repeats it as soon as the budget that rejected it is available, within
 * `MAX_BUDGET_WAIT_MS` in total.
 * @throws the error of the last attempt; the signal's reason if the signal aborts
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
      const waitMs = (isOverBudget(error) ? error.retryAfterMs : undefined) ?? Infinity;
      if (clock.monotonic() + waitMs > until) throw error;
      await sleep(waitMs, undefined, { signal }).catch(() => {
        throw signal.reason;
      });
    }
  }
}

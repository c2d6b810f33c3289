import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { UpstreamError } from '../errors.js';
import type { Window, Windows } from '../limits/windows.js';
import type { StoreTime } from '../weather/scope.js';
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

/** What providers told of their quotas, in a store that all processes share. */
export interface Quotas {
  /**
   * Tells that a quota is used up; of two refusals the longer one holds.
   * @param lastsMs for so many milliseconds; 0 only asks
   * @returns for how long it is used up now; 0: not, or the store is unavailable
   */
  tell(upstream: string, lastsMs: number, time?: StoreTime): Promise<number>;
}

/**
 * A call counts when it begins, and may reach the provider so much later (ms) than another one that
 * began before it. Doubled: each window admits its calls in a quarter of a second more.
 */
const MAX_ARRIVAL_DELAY_MS = 250;
/** The part of a long window that is kept for places that the gazetteer knows. */
const RESERVE = 1 / 5;
/**
 * A window of so many seconds has a reserve. Doubled: one client can use up the hour's calls, and
 * nobody gets a new place for the rest of it.
 */
const RESERVE_FROM_SECONDS = 3600;
const hasReserve = (windowSeconds: number) => windowSeconds >= RESERVE_FROM_SECONDS;

export type CallBudgets = ReturnType<typeof createCallBudgets>;

/**
 * What all processes together may ask of the providers, over windows of any store. Waits for a shared
 * store take from `time`; while it is unavailable no call throws for that, and each process has its share
 * at once. The log tells, once each time, that a budget is spent, and that it is free again.
 * @param options.parts how many processes have a share then
 */
export function createCallBudgets(options: {
  budgets: Budgets;
  windows: Windows;
  quotas: Quotas;
  parts: number;
  clock: Pick<Clock, 'monotonic'>;
  log: Logger;
}) {
  const { budgets, windows, quotas, parts, clock, log } = options;
  /** When a call was refused last, by the name of each budget that was told as spent. */
  const refusedAt = new Map<string, number>();

  function windowsOf({ name, windows: all }: Budget, reserve: boolean): Window[] {
    return all.map(({ limit: whole, windowSeconds }) => {
      const isKept = !reserve && hasReserve(windowSeconds);
      const limit = isKept ? whole - Math.floor(whole * RESERVE) : whole;
      return {
        key: `{${name}}:calls:${windowSeconds}`,
        limit,
        windowMs: windowSeconds * 1000 + MAX_ARRIVAL_DELAY_MS,
        share: Math.max(1, Math.floor(limit / parts)),
      };
    });
  }

  async function waitOf(upstream: string, reserve: boolean, time?: StoreTime): Promise<number> {
    const budget = budgets.get(upstream);
    if (!budget) return 0;
    const { refusedBy, states } = await windows.count(windowsOf(budget, reserve), 1, time);
    const waits = states.map((state) => (state?.remaining === 0 ? state.resetMs : 0));
    const waitMs = refusedBy === undefined ? 0 : Math.max(...waits);
    // While only the reserve is left, its calls do not say that the budget is free.
    const isReserve = budget.windows.some(({ windowSeconds }, i) => {
      const { limit = 0, remaining = limit } = states[i] ?? {};
      return hasReserve(windowSeconds) && remaining <= limit * RESERVE;
    });
    if (waitMs > 0 || !reserve || !isReserve) tell(budget, waitMs);
    return waitMs;
  }

  function tell({ name: provider, windows: all }: Budget, waitMs: number): void {
    const now = clock.monotonic();
    const before = refusedAt.get(provider);
    if (waitMs > 0) {
      refusedAt.set(provider, now);
      if (before !== undefined) return;
      log.warn({ event: 'provider_budget_spent', provider, retry_after_ms: waitMs });
    } else if (before !== undefined) {
      // Single calls fit again and again while a budget is spent: it is free when no call was refused
      // for as long as its shortest window.
      const shortest = Math.min(...all.map(({ windowSeconds }) => windowSeconds));
      if (now - before < shortest * 1000 + MAX_ARRIVAL_DELAY_MS) return;
      refusedAt.delete(provider);
      log.info({ event: 'provider_budget_free', provider });
    }
  }

  return {
    /**
     * Counts a call that is about to begin, or says how long it must wait.
     * @param options.reserve whether the call may use the part that is kept for known places
     * @returns milliseconds until a call fits (0: this one is counted), and for which the provider said,
     *   to any process, that its quota is used up (0: it is not)
     */
    async take(upstream: string, { reserve }: { reserve: boolean }, time?: StoreTime) {
      // Sent together: one trip. A call that is refused for its quota is counted all the same. The
      // wait for both is that for one.
      const [quotaMs, waitMs] = await Promise.all([
        quotas.tell(upstream, 0, time && { storeMs: time.storeMs }),
        waitOf(upstream, reserve, time),
      ]);
      return { waitMs, quotaMs };
    },
    /** The upstream said that its quota is used up for so many milliseconds: all processes learn it. */
    async quotaUsedUp(upstream: string, lastsMs: number, time?: StoreTime): Promise<void> {
      await quotas.tell(upstream, lastsMs, time);
    },
    /** The windows of an upstream's budget as they are now; empty when it has none. */
    async state(upstream: string): Promise<BudgetState[]> {
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

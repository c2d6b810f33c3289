import type { LocalWindow } from '../limits/window.js';
import {
  BUDGET_POLICY,
  isRoomy,
  type Budget,
  type BudgetLeft,
  type LocalBudgets,
} from '../upstream/budgets.js';
import type { Clock } from '../weather/types.js';
import { createMemoryWindow } from './window.js';

const KEY = 'calls';

interface State {
  /** Of calls that have ended. */
  windows: LocalWindow[];
  inFlight: number;
  /** While the budget is spent: when somebody was refused last (monotonic). */
  refusedAt?: number | undefined;
}

/** @param share of each budget, at most 1 (all of it); every share has one call at least */
export function createMemoryBudgets(options: { clock: Clock; share: number }): LocalBudgets {
  const { clock, share } = options;
  const states = new Map<string, State>();

  function stateOf({ name, windows }: Budget): State {
    const known = states.get(name);
    if (known) return known;
    const state: State = {
      inFlight: 0,
      windows: windows.map(({ limit, windowSeconds }) =>
        createMemoryWindow({
          limit: Math.max(1, Math.floor(limit * share)),
          windowMs: windowSeconds * 1000,
          clock,
          maxKeys: 1,
          maxInstants: 1000,
        }),
      ),
    };
    states.set(name, state);
    return state;
  }

  function left(budget: Budget): BudgetLeft[] {
    const { windows, inFlight } = stateOf(budget);
    return budget.windows.map((window, index) => {
      const { limit = 0, remaining = 0 } = windows[index]?.look(KEY) ?? {};
      return {
        windowSeconds: window.windowSeconds,
        limit,
        left: Math.max(0, remaining - inFlight),
      };
    });
  }

  function waitOf(budget: Budget): number {
    const { windows, inFlight } = stateOf(budget);
    const waits = windows.map((window, index) => {
      const { remaining, resetMs } = window.look(KEY);
      if (remaining > inFlight) return 0;
      // While all that counts is under way, nothing leaves before one has ended.
      return resetMs > 0 ? resetMs : (budget.windows[index]?.windowSeconds ?? 0) * 1000;
    });
    const isFull = budget.atOnce !== undefined && inFlight >= budget.atOnce;
    return Math.max(0, ...waits, isFull ? BUDGET_POLICY.atOnceWaitMs : 0);
  }

  return {
    left,
    look: waitOf,
    waitMs(budget) {
      const waitMs = waitOf(budget);
      if (waitMs === 0) return { waitMs, change: undefined };
      const state = stateOf(budget);
      const isNews = state.refusedAt === undefined;
      state.refusedAt = clock.monotonic();
      return { waitMs, change: isNews ? { budget: budget.name, change: 'spent' } : undefined };
    },
    begin(budget) {
      const state = stateOf(budget);
      const wasRoomy = isRoomy(left(budget));
      state.inFlight += 1;
      const { refusedAt } = state;
      if (refusedAt === undefined || !wasRoomy) return undefined;
      if (clock.monotonic() - refusedAt < BUDGET_POLICY.quietMs) return undefined;
      state.refusedAt = undefined;
      return { budget: budget.name, change: 'free' };
    },
    end(budget) {
      const state = stateOf(budget);
      state.inFlight -= 1;
      for (const window of state.windows) window.count(KEY);
    },
  };
}

import type { LocalWindow } from '../limits/window.js';
import { windowMsOf, type Budgets, type CallBudgets } from '../upstream/budgets.js';
import type { Clock } from '../weather/types.js';
import { createMemoryWindow } from './window.js';

const KEY = 'calls';
/** Enough for one window: it has one key. */
const BOUNDS = { maxKeys: 1, maxInstants: 1000 };

/**
 * The budgets of this process alone.
 * @param options.parts each of so many processes has its share, of one call at least
 */
export function createMemoryBudgets(options: {
  budgets: Budgets;
  parts: number;
  clock: Clock;
}): CallBudgets {
  const { budgets, parts, clock } = options;
  const opened = new Map<string, LocalWindow[]>();

  function windowsOf(upstream: string): LocalWindow[] {
    const budget = budgets.get(upstream);
    if (!budget) return [];
    const known = opened.get(budget.name);
    if (known) return known;
    const windows = budget.windows.map((window) =>
      createMemoryWindow({
        limit: Math.max(1, Math.floor(window.limit / parts)),
        windowMs: windowMsOf(window),
        clock,
        ...BOUNDS,
      }),
    );
    opened.set(budget.name, windows);
    return windows;
  }

  return {
    take(upstream) {
      const windows = windowsOf(upstream);
      const full = windows.map((window) => window.look(KEY)).filter(({ admitted }) => !admitted);
      if (full.length === 0) for (const window of windows) window.count(KEY);
      const waitMs = Math.max(0, ...full.map(({ resetMs }) => resetMs));
      return Promise.resolve({ waitMs, quotaMs: 0 });
    },
    // There is nobody else to learn it: this process's own breaker knows.
    quotaUsedUp: () => Promise.resolve(),
    state(upstream) {
      const windows = windowsOf(upstream);
      const told = (budgets.get(upstream)?.windows ?? []).map(({ windowSeconds }, i) => {
        const { limit = 0, remaining = 0 } = windows[i]?.look(KEY) ?? {};
        return { windowSeconds, limit, remaining };
      });
      return Promise.resolve(told);
    },
  };
}

import { createMemoryWindows } from '../../src/memory/windows.js';
import { noInstruments } from '../../src/process/instruments.js';
import { createBreaker, type Breaker } from '../../src/upstream/breaker.js';
import { createCallBudgets, type Budgets } from '../../src/upstream/budgets.js';
import type { Guarding } from '../../src/upstream/guard.js';
import type { Clock } from '../../src/weather/types.js';
import { recordingLog } from './records.js';

/**
 * What the guards of one process need, and what they write.
 * @param budgets those of this process alone
 * @param more instead of what is usual
 */
export function guardingOf(
  clock: Clock,
  budgets: Budgets = new Map(),
  more: Partial<Guarding> = {},
): {
  guarding: Guarding;
  breakerOf: (name: string) => Breaker;
  records: Record<string, unknown>[];
} {
  const { log, records } = recordingLog();
  const breakers = new Map<string, Breaker>();
  function breakerOf(name: string): Breaker {
    const breaker = breakers.get(name) ?? createBreaker(clock);
    breakers.set(name, breaker);
    return breaker;
  }
  const guarding: Guarding = {
    breakerOf,
    budgets: createCallBudgets({
      budgets,
      windows: createMemoryWindows({ clock, maxKeys: 100, maxInstants: 10_000 }),
      quotas: { tell: () => Promise.resolve(0) },
      parts: 1,
      clock,
      log,
    }),
    ending: new AbortController().signal,
    concurrency: 4,
    clock,
    log,
    instruments: noInstruments,
    ...more,
  };
  return { guarding, breakerOf, records };
}

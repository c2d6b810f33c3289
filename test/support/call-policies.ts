import { createCircuitBreaker, type CircuitBreaker } from '../../src/base/circuit-breaker.js';
import { createMemoryWindows } from '../../src/memory/memory-windows.js';
import { noInstruments } from '../../src/base/instruments.js';
import { createCallBudgets, type Budgets } from '../../src/upstream/call-budgets.js';
import { PROVIDER_BREAKER, type PolicyOptions } from '../../src/upstream/policy.js';
import type { Clock } from '../../src/weather/types.js';
import { recordingLog } from './records.js';

/**
 * The options of the call policies of one process, and its log records.
 * @param budgets the budgets of this process alone
 * @param more replaces options
 */
export function policyOptionsOf(
  clock: Clock,
  budgets: Budgets = new Map(),
  more: Partial<PolicyOptions> = {},
): {
  options: PolicyOptions;
  breakerOf: (name: string) => CircuitBreaker;
  records: Record<string, unknown>[];
} {
  const { log, records } = recordingLog();
  const breakers = new Map<string, CircuitBreaker>();
  function breakerOf(name: string): CircuitBreaker {
    const breaker = breakers.get(name) ?? createCircuitBreaker({ policy: PROVIDER_BREAKER, clock });
    breakers.set(name, breaker);
    return breaker;
  }
  const options: PolicyOptions = {
    breakerOf,
    budgets: createCallBudgets({
      budgets,
      windows: createMemoryWindows({ clock, maxKeys: 100, maxInstants: 10_000 }),
      replicas: 1,
      clock,
      log,
    }),
    ending: new AbortController().signal,
    concurrency: 4,
    queuedMs: 20_000,
    clock,
    log,
    instruments: noInstruments,
    ...more,
  };
  return { options, breakerOf, records };
}

import { ifUnavailable } from '../base/errors.js';
import type { Store } from '../store.js';
import type { BudgetState, Budgets } from '../upstream/call-budgets.js';
import type { Gauges } from './gauges.js';

/** The values that are queried at each scrape. A gauge whose query fails has no value. */
export interface MetricQueries {
  /** Undefined without a queue. */
  backlog: Store['backlog'];
  /** Milliseconds for which the circuit breaker of an upstream service rejects calls; 0: it does not. */
  breakerOpenMs: (provider: string) => number;
  providers: string[];
  /** The windows of the budget of an upstream service; empty without a budget. */
  budgetState: (provider: string) => Promise<BudgetState[]>;
  /** Whether this process skips a provider because its budget is used up. */
  isBudgetUsedUp: (provider: string) => boolean;
  budgets: Budgets;
}

/** Creates the gauges of circuit breakers, budgets, and the queue. */
export function createQueriedGauges({ gauge, gaugesOf }: Gauges, queries: MetricQueries): void {
  const { backlog, breakerOpenMs, providers, budgetState, isBudgetUsedUp, budgets } = queries;
  gauge('weather_breaker_open', '1 while calls are rejected', ['provider'], (breakers) => {
    for (const provider of providers) {
      breakers.set({ provider }, breakerOpenMs(provider) > 0 ? 1 : 0);
    }
  });
  const budgetLimit = gauge(
    'weather_provider_budget_limit',
    'Calls that the budget of a provider allows, by window in seconds',
    ['provider', 'window'],
  );
  for (const { name: provider, windows } of budgets.values()) {
    for (const { windowSeconds, limit } of windows) {
      budgetLimit.set({ provider, window: String(windowSeconds) }, limit);
    }
  }
  /** One upstream service for each budget: services that share a budget have the same state. */
  const serviceOfBudget = new Map([...budgets].map(([service, { name }]) => [name, service]));
  gauge(
    'weather_provider_budget_spent',
    '1 while this process does not call a provider because its budget is used up',
    ['provider'],
    (usedUp) => {
      for (const provider of serviceOfBudget.keys()) {
        usedUp.set({ provider }, isBudgetUsedUp(provider) ? 1 : 0);
      }
    },
  );
  gauge(
    'weather_provider_budget_left',
    'Calls that are left in the budget of a provider, by window in seconds',
    ['provider', 'window'],
    async (left) => {
      // A budget whose state is unknown has no value.
      left.reset();
      for (const [provider, service] of serviceOfBudget) {
        const windows = await ifUnavailable(budgetState(service), []);
        for (const { windowSeconds, remaining } of windows) {
          left.set({ provider, window: String(windowSeconds) }, remaining);
        }
      }
    },
  );
  if (!backlog) return;
  const add = gaugesOf(backlog);
  add(
    'weather_queue_oldest_job_age_seconds',
    'Age of the fetch job that waits longest',
    ({ oldestMs }) => oldestMs / 1000,
  );
  add('weather_queue_waiting_jobs', 'Fetch jobs that wait for a worker', ({ waiting }) => waiting);
}

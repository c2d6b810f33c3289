import { totalmem } from 'node:os';
import { Gauge, type Registry } from 'prom-client';
import type { CircuitBreaker } from '../../base/circuit-breaker.js';
import { ifUnavailable } from '../../base/errors.js';
import { SERVICE_VERSION } from '../../base/version.js';
import type { Store } from '../../store.js';
import type { Availability } from '../../weather/fetch.js';
import type { Budgets, CallBudgets } from '../../upstream/call-budgets.js';
import { certificateEnd } from './certificate-end.js';

/** The values that are queried at each scrape. A gauge whose query fails has no value. */
export interface MetricQueries {
  backlog: Store['backlog'];
  breakers: ReadonlyMap<string, Pick<CircuitBreaker, 'rejectsForMs'>>;
  callBudgets: Pick<CallBudgets, 'state' | 'isUsedUp'>;
  budgets: Budgets;
  availability: () => [kind: string, availability: Availability][];
  /** The files with certificates, by the variables that name them. */
  certificates: Record<string, string | undefined>;
}

/** Creates the gauges of the process. Returns functions that create the others. */
export function createGauges(registers: Registry[]) {
  function gauge<T extends string>(
    name: string,
    help: string,
    labelNames: T[] = [],
    collect: (gauge: Gauge<T>) => void | Promise<void> = () => undefined,
  ): Gauge<T> {
    return new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        return collect(this);
      },
    });
  }

  gauge('weather_build_info', 'Always 1. The labels are versions', ['version', 'node']).set(
    { version: SERVICE_VERSION, node: process.version },
    1,
  );
  gauge('weather_memory_limit_bytes', 'Memory limit of this process').set(memoryLimit());
  const unavailable = gauge(
    'weather_redis_unavailable',
    '1 while Redis is unavailable or rejects writes',
  );

  function watch(queries: MetricQueries): void {
    const { backlog, breakers, callBudgets, budgets, availability, certificates } = queries;
    gauge(
      'weather_certificate_end_timestamp_seconds',
      'When a certificate for Redis expires, by the variable that names its file',
      ['variable'],
      async (end) => {
        // A file that cannot be read has no value.
        end.reset();
        for (const [variable, file] of Object.entries(certificates)) {
          const seconds = file && (await certificateEnd(file).catch(() => undefined));
          if (seconds) end.set({ variable }, seconds);
        }
      },
    );
    gauge('weather_breaker_open', '1 while calls are rejected', ['provider'], (open) => {
      for (const [provider, breaker] of breakers) {
        open.set({ provider }, breaker.rejectsForMs() > 0 ? 1 : 0);
      }
    });
    gauge(
      'weather_kind_unavailable',
      '1 while this process can call no upstream service for a kind of data',
      ['kind'],
      (rejected) => {
        for (const [kind, state] of availability()) {
          rejected.set({ kind }, state === 'none' ? 1 : 0);
        }
      },
    );
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
      'weather_provider_budget_exhausted',
      '1 while this process does not call a provider because its budget is used up',
      ['provider'],
      (usedUp) => {
        for (const provider of serviceOfBudget.keys()) {
          usedUp.set({ provider }, callBudgets.isUsedUp(provider) ? 1 : 0);
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
          const windows = await ifUnavailable(callBudgets.state(service), []);
          for (const { windowSeconds, remaining } of windows) {
            left.set({ provider, window: String(windowSeconds) }, remaining);
          }
        }
      },
    );
    if (!backlog) return;
    const ofQueue = (name: string, help: string, member: 'oldestMs' | 'waiting', unit = 1) =>
      gauge(name, help, [], async (created) => {
        const state = await ifUnavailable(backlog(), undefined);
        if (state === undefined) created.remove();
        else created.set(state[member] / unit);
      });
    ofQueue(
      'weather_queue_oldest_job_age_seconds',
      'Age of the fetch job that waits longest',
      'oldestMs',
      1000,
    );
    ofQueue('weather_queue_waiting_jobs', 'Fetch jobs that wait for a worker', 'waiting');
  }

  return {
    unavailable,
    watch,
    watchRequests: (count: () => number): void => {
      const help = 'Requests that have no response yet';
      gauge('weather_http_requests_in_flight', help, [], (requests) => {
        requests.set(count());
      });
    },
  };
}

/** Returns the memory limit of the container, or else the memory of the machine, in bytes. */
function memoryLimit(): number {
  const constrained = process.constrainedMemory();
  return constrained ? Math.min(constrained, totalmem()) : totalmem();
}

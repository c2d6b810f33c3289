import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { StoreMemory } from '../stores.js';
import type { BudgetState, Budgets } from '../upstream/budgets.js';
import { createAskedGauges, createProcessGauges } from './gauges.js';
import type { Instruments } from './instruments.js';
import { createRecent, type Recent } from './recent.js';

/** Fetch jobs that wait, and the age of the oldest in milliseconds. */
interface Backlog {
  waiting: number;
  oldestMs: number;
}

/** What is asked only when somebody scrapes. What fails then has no value. */
export interface Probes {
  /** Undefined where there is no queue. */
  backlog: (() => Promise<Backlog>) | undefined;
  /** Milliseconds for which an upstream's breaker will still refuse callers; 0: it is not open. */
  breakerOpenMs: (provider: string) => number;
  providers: string[];
  /** The windows of an upstream's budget; empty without a budget. */
  budgetState: (provider: string) => Promise<BudgetState[]>;
  budgets: Budgets;
  /** Undefined where the store is this process's own memory. */
  memory: (() => Promise<StoreMemory>) | undefined;
}

export interface Metrics {
  instruments: Instruments;
  /** The text of all metrics, in Prometheus's format. */
  render(): Promise<string>;
  watch(probes: Probes): void;
  readonly probes: Probes | undefined;
  readonly recent: Recent;
  /** @param inFlight how many requests have not been answered yet */
  watchRequests(inFlight: () => number): void;
  /** Begins the series of these routes at 0: the first error is an increase then. */
  expectRoutes(routes: { path: string; methods: string[] }[]): void;
}

const REQUEST_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];
const UPSTREAM_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Of these, `zero` and `inc` by 0 begin the series before anything has happened. */
const UPSTREAM_OUTCOMES = ['ok', 'unavailable', 'quota', 'bad_answer', 'not_covered'];
const EXPECTED_STATUSES = [200, 500, 503];
const REDIS_BUCKETS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25];

/**
 * Prometheus metrics of this process. Labels are of bounded number: routes, methods, codes and
 * names that the service knows; never a city, an address or a path.
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Histogram({
    name: 'weather_http_request_duration_seconds',
    help: 'Time from a request to its response',
    labelNames: ['route', 'method', 'status'],
    buckets: REQUEST_BUCKETS,
    registers,
  });
  const outcomes = new Counter({
    name: 'weather_cache_outcomes_total',
    help: 'How weather answers came about: hit, miss, coalesced, stale',
    labelNames: ['outcome'],
    registers,
  });
  const refusals = new Counter({
    name: 'weather_rate_limit_refusals_total',
    help: 'Requests refused by a limit',
    labelNames: ['limit'],
    registers,
  });
  const wouldBeRefusals = new Counter({
    name: 'weather_rate_limit_would_refuse_total',
    help: 'Requests that a limit would have refused if it were not a dry run',
    labelNames: ['limit'],
    registers,
  });
  const overloads = new Counter({
    name: 'weather_overload_refusals_total',
    help: 'Requests refused because this process had fallen behind its load',
    registers,
  });
  const upstream = new Counter({
    name: 'weather_upstream_requests_total',
    help: 'Calls to upstream services by outcome',
    labelNames: ['provider', 'outcome'],
    registers,
  });
  const upstreamDuration = new Histogram({
    name: 'weather_upstream_request_duration_seconds',
    help: 'Time of calls to upstream services, without the wait for their turn',
    labelNames: ['provider', 'outcome'],
    buckets: UPSTREAM_BUCKETS,
    registers,
  });
  const saved = new Counter({
    name: 'weather_upstream_calls_saved_total',
    help: 'Calls that an answer made needless which a provider had given earlier',
    labelNames: ['provider'],
    registers,
  });
  const redis = new Histogram({
    name: 'weather_redis_command_duration_seconds',
    help: 'Time until Redis answered a command, or was given up',
    buckets: REDIS_BUCKETS,
    registers,
  });
  const unavailable = new Gauge({
    name: 'weather_redis_unavailable',
    help: '1 while this process works without Redis, or without writing to it',
    registers,
  });

  for (const outcome of ['hit', 'miss', 'coalesced', 'stale']) outcomes.inc({ outcome }, 0);
  for (const limit of ['per_ip', 'total']) {
    refusals.inc({ limit }, 0);
    wouldBeRefusals.inc({ limit }, 0);
  }
  const recent = createRecent();
  let watched: Probes | undefined;

  function watch(probes: Probes): void {
    const { backlog, breakerOpenMs, providers, budgetState, budgets, memory } = probes;
    watched = probes;
    for (const provider of providers) {
      saved.inc({ provider }, 0);
      for (const outcome of UPSTREAM_OUTCOMES) upstream.inc({ provider, outcome }, 0);
    }
    if (memory) {
      createAskedGauges(registers, memory, [
        {
          name: 'weather_redis_memory_used_bytes',
          help: 'Memory that the fullest Redis uses',
          read: ({ used }) => used,
        },
        {
          name: 'weather_redis_memory_limit_bytes',
          help: 'maxmemory of that Redis; 0: no limit',
          read: ({ limit }) => limit,
        },
      ]);
    }
    const breakers = new Gauge({
      name: 'weather_breaker_open',
      help: '1 while an upstream is not asked',
      labelNames: ['provider'],
      registers,
      collect() {
        for (const provider of providers) {
          breakers.set({ provider }, breakerOpenMs(provider) > 0 ? 1 : 0);
        }
      },
    });
    const budgetLimit = new Gauge({
      name: 'weather_provider_budget_limit',
      help: 'Calls that the budget of a provider allows, by window in seconds',
      labelNames: ['provider', 'window'],
      registers,
    });
    for (const { name: provider, windows } of budgets.values()) {
      for (const { windowSeconds, limit } of windows) {
        budgetLimit.set({ provider, window: String(windowSeconds) }, limit);
      }
    }
    /** One upstream of each budget: those that share it would answer the same. */
    const askable = new Map([...budgets].map(([asked, { name }]) => [name, asked]));
    const budget = new Gauge({
      name: 'weather_provider_budget_left',
      help: 'Calls that still fit into the budget of a provider, by window in seconds',
      labelNames: ['provider', 'window'],
      registers,
      async collect() {
        for (const [provider, asked] of askable) {
          const windows = await budgetState(asked).catch(() => []);
          for (const { windowSeconds, remaining } of windows) {
            budget.set({ provider, window: String(windowSeconds) }, remaining);
          }
        }
      },
    });
    if (!backlog) return;
    createAskedGauges(registers, backlog, [
      {
        name: 'weather_queue_oldest_job_age_seconds',
        help: 'Age of the fetch job that waits longest',
        read: ({ oldestMs }) => oldestMs / 1000,
      },
      {
        name: 'weather_queue_waiting_jobs',
        help: 'Fetch jobs that no worker has taken up',
        read: ({ waiting }) => waiting,
      },
    ]);
  }

  return {
    watch,
    get probes() {
      return watched;
    },
    recent,
    ...createProcessGauges(registers),
    expectRoutes(routes) {
      for (const { path, methods } of routes) {
        for (const method of methods) {
          for (const status of EXPECTED_STATUSES) requests.zero({ route: path, method, status });
        }
      }
    },
    render: () => registry.metrics(),
    instruments: {
      requestServed({ route, method, status, seconds, cache, refusedBy, wouldRefuse }) {
        requests.observe({ route, method, status }, seconds);
        if (cache !== undefined) outcomes.inc({ outcome: cache.toLowerCase() });
        if (refusedBy !== undefined) refusals.inc({ limit: refusedBy });
        if (wouldRefuse !== undefined) wouldBeRefusals.inc({ limit: wouldRefuse });
      },
      overloadRefused() {
        overloads.inc();
      },
      upstreamCalled(provider, outcome, seconds, reason) {
        upstream.inc({ provider, outcome });
        upstreamDuration.observe({ provider, outcome }, seconds);
        if (reason !== undefined) recent.upstreamFailed(provider, outcome, reason);
      },
      upstreamCallSaved(provider) {
        saved.inc({ provider });
      },
      redisAnswered(seconds) {
        redis.observe(seconds);
      },
      redisUnavailable(fault) {
        unavailable.set(fault ? 1 : 0);
        recent.redisUnavailable(fault);
      },
    },
  };
}

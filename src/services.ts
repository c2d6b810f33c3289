import { createCircuitBreaker } from './base/circuit-breaker.js';
import { createUpstreamFetcher } from './fetcher.js';
import { memoryStore } from './memory/index.js';
import type { Readiness } from './http/endpoints/probes.js';
import { GAZETTEER_FILE, loadGazetteer } from './places/gazetteer.js';
import { noInstruments } from './base/instruments.js';
import { calledBy, createBudgets } from './providers/index.js';
import { timeZoneAt } from './providers/time-zone.js';
import type { ProcessContext } from './process/context.js';
import type { Store } from './store.js';
import { createCallBudgets } from './upstream/call-budgets.js';
import { PROVIDER_BREAKER } from './upstream/policy.js';
import { createLocator } from './weather/location.js';
import type { Availability } from './weather/fetch.js';
import { POINT_KINDS } from './weather/kinds/kinds.js';
import { createLookup } from './weather/lookup.js';

/** The composition root: the only module that imports both kinds of store. */

/**
 * Fetches that a concurrency slot is expected to complete per second. Higher: more requests for
 * cold keys wait instead of being rejected at once.
 */
const FETCHES_PER_SLOT_PER_SECOND = 4;

export type Services = Awaited<ReturnType<typeof createServices>>;

/** Creates what the worker and the API have in common. Without a port, there are no metrics. */
export async function createCommonServices(context: ProcessContext) {
  const { config, log, clock, lifecycle } = context;
  const budgets = createBudgets(config);
  // Only if a port is set: loading the libraries for metrics takes 50 ms of the start.
  const metrics =
    config.METRICS_PORT === undefined
      ? undefined
      : (await import('./process/metrics/metrics.js')).createMetrics();
  const instruments = metrics?.instruments ?? noInstruments;
  const local = memoryStore(context);
  const address = config.redis;
  // Only if Redis is used: loading its libraries takes a sixth of the start.
  const store: Store = address
    ? (await import('./redis/index.js')).redisStore({ ...context, address, local, instruments })
    : local;
  const callBudgets = createCallBudgets({
    budgets,
    clock,
    log,
    windows: store.windows.budgets,
    replicas: config.REPLICAS_HINT,
  });
  const createBreaker = () => createCircuitBreaker({ policy: PROVIDER_BREAKER, clock });
  const breakers = new Map(calledBy(config).map((name) => [name, createBreaker()]));
  const breakerOf = (name: string) => breakers.get(name) ?? createBreaker();
  const policyOptions = {
    breakerOf,
    budgets: callBudgets,
    ending: lifecycle.ending,
    concurrency: config.UPSTREAM_CONCURRENCY,
    queuedMs: config.waits.queuedMs,
    clock,
    log,
    instruments,
  };
  const fetching = createUpstreamFetcher(context, policyOptions);
  const availability = () =>
    POINT_KINDS.map(({ kind }): [string, Availability] => [kind.name, fetching.availability(kind)]);
  const { REDIS_TLS_CA, REDIS_TLS_CERT } = config;
  const certificates = { REDIS_TLS_CA, REDIS_TLS_CERT };
  const { backlog } = store;
  metrics?.watch({ backlog, breakers, callBudgets, budgets, availability, certificates });
  return { store, fetching, metrics, instruments };
}

/** @throws when the gazetteer has not been built */
export async function createServices(context: ProcessContext) {
  const { config, clock, lifecycle } = context;
  const { store, fetching, metrics, instruments } = await createCommonServices(context);
  if (config.RUN_WORKER) store.startWorker(fetching);
  const lookup = createLookup({
    near: store.near,
    sharedCache: store.sharedCache(fetching),
    isOffered: fetching.isOffered,
    clock,
    refreshAheadMs: config.REFRESH_AHEAD_SECONDS * 1000,
    fetchesPerSecond: config.UPSTREAM_CONCURRENCY * FETCHES_PER_SLOT_PER_SECOND,
    maxQueuedMs: config.waits.queuedMs,
    maxWaitMs: config.waits.wholeMs,
  });
  const gazetteer = loadGazetteer(GAZETTEER_FILE);
  return {
    gazetteer,
    locator: createLocator({
      gazetteer,
      lookup: config.usesGeocoder ? lookup : undefined,
      timeZoneAt,
    }),
    lookup,
    store,
    metrics,
    instruments,
    /** A process that has never reached the store, or that drains, is not ready. */
    readiness(): Readiness {
      const { check, wasReached } = store.state();
      if (lifecycle.isDraining)
        return { ready: false, checks: { redis: check, server: 'draining' } };
      const isAvailable = check !== 'down' || !config.READINESS_REQUIRES_REDIS;
      return { ready: wasReached && isAvailable, checks: { redis: check } };
    },
  };
}

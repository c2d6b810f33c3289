import { createCircuitBreaker } from './base/circuit-breaker.js';
import { createUpstreamFetcher, type ProcessContext } from './fetcher.js';
import { memoryStore } from './memory/index.js';
import { GAZETTEER_FILE, loadGazetteer } from './places/gazetteer.js';
import { noInstruments } from './base/instruments.js';
import type { Metrics } from './process/metrics.js';
import { createReadiness, type Readiness } from './process/readiness.js';
import { calledBy, createBudgets } from './providers/provider-budgets.js';
import { timeZoneAt } from './providers/time-zone.js';
import type { Store } from './store.js';
import { createCallBudgets } from './upstream/call-budgets.js';
import { PROVIDER_BREAKER } from './upstream/policy.js';
import type { Fetcher } from './weather/fetch.js';
import type { Kinds } from './weather/kind.js';
import { createLocator, type Locator } from './weather/location.js';
import { createLookup, type Lookup } from './weather/lookup.js';
import type { Gazetteer } from './weather/types.js';

/** The composition root: the only module that imports both kinds of store. */

/**
 * Milliseconds for which a lookup may wait until its fetch starts. Longer: with a slow provider, more requests for cold
 * keys wait and are rejected later.
 */
const MAX_QUEUED_MS = 20_000;
/**
 * Fetches that one concurrency slot is expected to end in a second. Higher: more requests for cold
 * keys wait, and with a slower provider, more of them fail at their deadline.
 */
const FETCHES_PER_SLOT_AND_SECOND = 4;
/** The services of a process that fetches: replica or worker. */
interface CommonServices {
  store: Store;
  fetcher: Fetcher;
  kinds: Kinds;
  /** Undefined when no port is set for them. */
  metrics: Metrics | undefined;
}

/** The services of a replica. */
export interface Services {
  gazetteer: Gazetteer;
  locator: Locator;
  lookup: Lookup;
  store: Store;
  metrics: Metrics | undefined;
  readiness(): Readiness;
}

/** Creates the store, providers, and metrics, for the worker and for the API. */
export async function createCommonServices(parts: ProcessContext): Promise<CommonServices> {
  const { config, log, clock, lifecycle } = parts;
  const budgets = createBudgets(config.upstream);
  // Loading the libraries for metrics takes 50 ms of the start, so they are loaded only if a port
  // is set.
  const metrics =
    config.metricsPort === undefined
      ? undefined
      : (await import('./process/metrics.js')).createMetrics();
  const local = memoryStore({
    config,
    clock,
    ending: lifecycle.ending,
  });
  // Loading the libraries for Redis takes a sixth of the start, so they are loaded only if Redis is
  // used.
  const store = config.redis
    ? (await import('./redis/index.js')).redisStore({
        address: config.redis,
        local,
        config,
        log,
        clock,
        instruments: metrics?.instruments ?? noInstruments,
        lifecycle,
      })
    : local;
  const callBudgets = createCallBudgets({
    budgets,
    clock,
    log,
    windows: store.windows.budgets,
    replicas: config.rateLimits.replicasHint,
  });
  const upstreams = calledBy(config.upstream);
  const createBreaker = () => createCircuitBreaker({ policy: PROVIDER_BREAKER, clock });
  const breakers = new Map(upstreams.map((name) => [name, createBreaker()]));
  const breakerOf = (name: string) => breakers.get(name) ?? createBreaker();
  metrics?.watch({
    backlog: store.backlog,
    breakerOpenMs: (name) => breakerOf(name).rejectsForMs(),
    providers: upstreams,
    budgetState: (name) => callBudgets.state(name),
    isBudgetUsedUp: (name) => callBudgets.isUsedUp(name),
    budgets,
  });
  const policyOptions = {
    breakerOf,
    budgets: callBudgets,
    ending: lifecycle.ending,
    concurrency: config.upstream.concurrency,
    clock,
    log,
    instruments: metrics?.instruments ?? noInstruments,
  };
  return { store, ...createUpstreamFetcher(parts, policyOptions), metrics };
}

/** @throws when the gazetteer has not been built */
export async function createServices(parts: ProcessContext): Promise<Services> {
  const { config, clock, lifecycle } = parts;
  const { store, fetcher, kinds, metrics } = await createCommonServices(parts);
  if (config.runWorker) store.startWorker(fetcher, kinds);
  const { concurrency, providers, timeoutMs } = config.upstream;
  const lookup = createLookup({
    near: store.near,
    sharedCache: store.sharedCache(fetcher, kinds),
    clock,
    refreshAheadMs: config.cache.refreshAheadSeconds * 1000,
    fetchesPerSecond: concurrency * FETCHES_PER_SLOT_AND_SECOND,
    maxQueuedMs: MAX_QUEUED_MS,
    // Once a fetch has started, it may call every provider.
    maxWaitMs: MAX_QUEUED_MS + providers.length * timeoutMs,
  });
  const gazetteer = loadGazetteer(GAZETTEER_FILE);
  return {
    gazetteer,
    locator: createLocator({
      gazetteer,
      lookup: config.upstream.usesGeocoder ? lookup : undefined,
      timeZoneAt,
    }),
    lookup,
    store,
    metrics,
    readiness: createReadiness({
      isDraining: () => lifecycle.isDraining,
      storeState: () => store.state(),
      requiresStore: config.readinessRequiresRedis,
    }),
  };
}

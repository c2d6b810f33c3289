import type { Config } from './config/config.js';
import { memoryStores } from './memory/index.js';
import { GAZETTEER_FILE, loadGazetteer } from './places/gazetteer.js';
import { noInstruments } from './process/instruments.js';
import type { Lifecycle } from './process/lifecycle.js';
import type { Logger } from './process/log.js';
import type { Metrics } from './process/metrics.js';
import { createReadiness, type Readiness } from './process/readiness.js';
import { attributionOf } from './providers/attributions.js';
import { createBudgets } from './providers/budgets.js';
import { createGeocoder, createProviders } from './providers/index.js';
import { GEOCODER_NAME } from './providers/open-meteo/geocoder.js';
import type { Stores } from './stores.js';
import { createBreaker } from './upstream/breaker.js';
import { createCallBudgets, waitForBudget } from './upstream/budgets.js';
import { traced } from './process/tracing.js';
import { createUpstreamClient } from './upstream/client.js';
import { createFailover } from './upstream/failover.js';
import { createGuard, type Guarding } from './upstream/guard.js';
import { createCurrentWeather, type CurrentWeather } from './weather/current-weather.js';
import { createFetcher, type Fetcher } from './weather/fetch.js';
import { createLookup } from './weather/lookup.js';
import type { Clock, Gazetteer } from './weather/types.js';

/** The composition root: the only place that knows that there are two kinds of store. */

const MIN_UPSTREAM_SOCKETS = 64;
/**
 * How long a lookup may wait until its fetch begins, in milliseconds. Doubled: with a slow provider a
 * cold place is refused after 40 s instead of 20, and twice as many wait.
 */
const MAX_QUEUED_MS = 20_000;
/** What one slot of one provider is expected to fetch in a second. Doubled: twice as many wait. */
const FETCHES_PER_SLOT_AND_SECOND = 4;

/** What every process is built from. */
export interface Parts {
  config: Config;
  log: Logger;
  clock: Clock;
  lifecycle: Lifecycle;
}

/** What a process that fetches needs. */
export interface FetchServices {
  stores: Stores;
  fetcher: Fetcher;
  /** Undefined when no port is set for them. */
  metrics: Metrics | undefined;
}

/** What a process that answers requests needs. */
export interface Services {
  gazetteer: Gazetteer;
  weather: CurrentWeather;
  stores: Stores;
  metrics: Metrics | undefined;
  readiness(): Readiness;
}

/** Stores, providers and metrics: what the worker needs, and the API too. */
export async function createFetchServices(parts: Parts): Promise<FetchServices> {
  const { config, log, clock, lifecycle } = parts;
  const budgets = createBudgets(config.upstream);
  // Loading the libraries for metrics takes 50 ms of the start: a process without a port does without.
  const metrics =
    config.metricsPort === undefined
      ? undefined
      : (await import('./process/metrics.js')).createMetrics();
  const local = memoryStores({
    config,
    clock,
    ending: lifecycle.ending,
  });
  // Loading the libraries for Redis takes a sixth of the start: a process alone does without.
  const stores = config.redis
    ? (await import('./redis/index.js')).redisStores({
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
    windows: stores.windows.budgets,
    quotas: stores.quotas,
    parts: config.rateLimits.replicasHint,
  });
  const upstreams = [...config.upstream.providers, GEOCODER_NAME];
  const breakers = new Map(upstreams.map((name) => [name, createBreaker(clock)]));
  const breakerOf = (name: string) => breakers.get(name) ?? createBreaker(clock);
  metrics?.watch({
    backlog: stores.backlog,
    breakerOpenMs: (name) => breakerOf(name).refusesMs(),
    providers: upstreams,
    budgetState: (name) => callBudgets.state(name),
    budgets,
    memory: stores.memory,
  });
  const guarding = {
    breakerOf,
    budgets: callBudgets,
    ending: lifecycle.ending,
    concurrency: config.upstream.concurrency,
    clock,
    log,
    instruments: metrics?.instruments ?? noInstruments,
  };
  return { stores, fetcher: buildFetcher(parts, stores, guarding), metrics };
}

/** @throws when the gazetteer has not been built */
export async function createServices(parts: Parts): Promise<Services> {
  const { config, clock, lifecycle } = parts;
  const { stores, fetcher, metrics } = await createFetchServices(parts);
  if (config.runWorker) stores.startWorker(fetcher);
  const { concurrency, providers, timeoutMs } = config.upstream;
  const lookup = createLookup({
    near: stores.near,
    queue: stores.fetchQueue(fetcher),
    clock,
    refreshAheadMs: config.cache.refreshAheadSeconds * 1000,
    maxWaiting: (concurrency * FETCHES_PER_SLOT_AND_SECOND * MAX_QUEUED_MS) / 1000,
    // Then each provider may have its turn.
    maxWaitMs: MAX_QUEUED_MS + providers.length * timeoutMs,
  });
  const gazetteer = loadGazetteer(GAZETTEER_FILE);
  return {
    gazetteer,
    weather: createCurrentWeather({ gazetteer, lookup, attributionOf, clock }),
    stores,
    metrics,
    readiness: createReadiness({
      phase: () => lifecycle.phase,
      storeState: () => stores.state(),
      requiresStore: config.readinessRequiresRedis,
    }),
  };
}

/** Providers and geocoder, each under its concurrency limit, its breaker and its budget. */
function buildFetcher(
  { config, log, clock, lifecycle }: Parts,
  { answers }: Stores,
  guarding: Guarding,
): Fetcher {
  const { upstream, cache } = config;
  const client = createUpstreamClient({
    userAgent: upstream.userAgent,
    timeoutMs: upstream.timeoutMs,
    // A call must not wait for a socket inside its own time.
    maxSockets: Math.max(MIN_UPSTREAM_SOCKETS, upstream.concurrency),
    sendsTraceHeaders: upstream.sendsTraceHeaders,
    clock,
  });
  lifecycle.closes(() => {
    client.close();
  });
  const deprecated = new Set<string>();
  const providers = createProviders({
    settings: upstream,
    client,
    answers,
    clock,
    onDeprecated(provider) {
      if (deprecated.has(provider)) return;
      deprecated.add(provider);
      log.warn({ event: 'provider_deprecated', provider });
    },
    onInvented() {
      log.warn({ event: 'demo_provider_used' });
    },
  });
  const guardGeocoder = createGuard(GEOCODER_NAME, guarding);
  const fetcher = createFetcher({
    providers: createFailover(providers, guarding),
    geocoder: createGeocoder({
      settings: upstream,
      client,
      // There is no other geocoder to go on to.
      guard: (call) => waitForBudget(clock, call.signal, () => guardGeocoder(call)),
    }),
    lives: {
      weather: { freshMs: cache.ttlSeconds * 1000, staleMs: cache.staleIfErrorSeconds * 1000 },
      noSuchPlace: { freshMs: cache.negativeTtlSeconds * 1000, staleMs: 0 },
    },
    timeoutMs: config.requestTimeoutMs,
    clock,
    log,
  });
  return traced(fetcher);
}

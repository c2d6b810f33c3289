import type { Config } from './config/config.js';
import { memoryStores } from './memory/index.js';
import { GAZETTEER_FILE, loadGazetteer } from './places/gazetteer.js';
import { noInstruments } from './process/instruments.js';
import type { Lifecycle } from './process/lifecycle.js';
import type { Logger } from './process/log.js';
import { createMetrics, type Metrics } from './process/metrics.js';
import { createReadiness, type Readiness } from './process/readiness.js';
import { attributionOf } from './providers/attributions.js';
import { createBudgets } from './providers/budgets.js';
import { createGeocoder, createProviders } from './providers/index.js';
import { GEOCODER_NAME } from './providers/open-meteo/geocoder.js';
import type { Stores } from './stores.js';
import { createBreaker } from './upstream/breaker.js';
import { tellBudgets, waitForBudget } from './upstream/budgets.js';
import { createUpstreamClient } from './upstream/client.js';
import { createFailover } from './upstream/failover.js';
import { createGuard, type Guarding } from './upstream/guard.js';
import { createCurrentWeather, type CurrentWeather } from './weather/current-weather.js';
import { createFetchAdmission } from './weather/fetch-admission.js';
import { createFetcher, type Fetcher } from './weather/fetch.js';
import { createLookup } from './weather/lookup.js';
import type { Clock, Gazetteer } from './weather/types.js';

/** The composition root: the only place that knows that there are two kinds of store. */

const MIN_UPSTREAM_SOCKETS = 64;
/** The pace of fetches to expect before any has ended: a quarter of a second each. */
const EXPECTED_FETCHES_PER_SLOT_AND_SECOND = 4;

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
  readiness(): Promise<Readiness>;
}

/** Stores, providers and metrics: what the worker needs, and the API too. */
export async function createFetchServices(parts: Parts): Promise<FetchServices> {
  const { config, log, clock, lifecycle } = parts;
  const budgets = createBudgets(config.upstream);
  const metrics = config.metricsPort === undefined ? undefined : createMetrics();
  const local = memoryStores({
    config,
    clock,
    // While Redis is unavailable, each replica admits its share.
    replicas: config.redis ? config.rateLimits.replicasHint : 1,
    ending: lifecycle.ending,
    budgets,
  });
  // Loading the libraries for Redis takes a sixth of the start: a process alone does without.
  const stores = config.redis
    ? (await import('./redis/index.js')).redisStores({
        address: config.redis,
        local,
        config,
        budgets,
        log,
        clock,
        instruments: metrics?.instruments ?? noInstruments,
        lifecycle,
      })
    : local;
  const upstreams = [...config.upstream.providers, GEOCODER_NAME];
  const breakers = new Map(upstreams.map((name) => [name, createBreaker(clock)]));
  const breakerOf = (name: string) => breakers.get(name) ?? createBreaker(clock);
  metrics?.watch({
    backlog: stores.backlog,
    breakerOpenMs: (name) => Promise.resolve(breakerOf(name).refusesMs()),
    providers: upstreams,
    budgetState: (name) => stores.budgets.state(name),
    budgets,
    memory: stores.memory,
  });
  const guarding = {
    breakerOf,
    budgets: tellBudgets(stores.budgets, { budgets, clock, log }),
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
  const { concurrency } = config.upstream;
  const lookup = createLookup({
    near: stores.near,
    queue: stores.fetchQueue(fetcher),
    admission: createFetchAdmission({
      clock,
      slots: concurrency,
      expectedPerSecond: concurrency * EXPECTED_FETCHES_PER_SLOT_AND_SECOND,
      ending: lifecycle.ending,
    }),
    clock,
    refreshAheadMs: config.cache.refreshAheadSeconds * 1000,
  });
  const gazetteer = loadGazetteer(GAZETTEER_FILE);
  return {
    gazetteer,
    weather: createCurrentWeather({
      gazetteer,
      lookup,
      near: stores.near,
      attributionOf,
      clock,
    }),
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
  return createFetcher({
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
}

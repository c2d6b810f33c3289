import type { Config, Role } from './config/config.js';
import { createAdmission, type Admission } from './limits/admission.js';
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
import { openMs } from './upstream/breakers.js';
import { createBudgetLine } from './upstream/budget-line.js';
import { createUpstreamClient } from './upstream/client.js';
import { createFailover } from './upstream/failover.js';
import { createGuard } from './upstream/guard.js';
import { createReports } from './upstream/reports.js';
import { createCurrentWeather, type CurrentWeather } from './weather/current-weather.js';
import { createFetchLine } from './weather/fetch-line.js';
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
  admission: Admission;
  stores: Stores;
  metrics: Metrics | undefined;
  readiness(): Promise<Readiness>;
}

/**
 * Stores, providers and metrics: what the worker needs, and the API too. A process of its own for
 * fetches has no work while Redis is unavailable, and so no share of the providers' budgets.
 */
export async function createFetchServices(parts: Parts, role: Role): Promise<FetchServices> {
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
    budgetShare: role === 'worker' ? 0 : 1 / (config.redis ? config.rateLimits.replicasHint : 1),
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
  metrics?.watch({
    backlog: stores.backlog,
    breakerOpenMs: (provider) => openMs(stores.breakers, provider),
    providers: [...config.upstream.providers, GEOCODER_NAME],
    budgetLeft: (provider) => stores.breakers.left(provider),
    budgets,
    memory: stores.memory,
  });
  return { stores, fetcher: buildFetcher(parts, stores, metrics), metrics };
}

/** @throws when the gazetteer has not been built */
export async function createServices(parts: Parts): Promise<Services> {
  const { config, clock, lifecycle } = parts;
  const { stores, fetcher, metrics } = await createFetchServices(parts, 'api');
  if (config.runWorker) stores.startWorker(fetcher);
  const { concurrency } = config.upstream;
  const lookup = createLookup({
    near: stores.near,
    queue: stores.fetchQueue(fetcher),
    line: createFetchLine({
      clock,
      slots: concurrency,
      expectedPerSecond: concurrency * EXPECTED_FETCHES_PER_SLOT_AND_SECOND,
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
      attributionOf,
      clock,
    }),
    admission: createAdmission({
      weather: stores.limiter('ip'),
      searches: stores.limiter('searches'),
      suggestions: stores.suggestions,
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

/** Providers and geocoder, each under its concurrency limit and its breaker. */
function buildFetcher(
  { config, log, clock, lifecycle }: Parts,
  { breakers, answers }: Stores,
  metrics: Metrics | undefined,
): Fetcher {
  const { upstream, cache } = config;
  const { concurrency } = upstream;
  const client = createUpstreamClient({
    userAgent: upstream.userAgent,
    timeoutMs: upstream.timeoutMs,
    // A call must not wait for a socket inside its own time.
    maxSockets: Math.max(MIN_UPSTREAM_SOCKETS, concurrency),
    clock,
  });
  lifecycle.closes(() => {
    client.close();
  });
  const reports = createReports(log);
  lifecycle.closes(() => reports.settled());
  const guarding = {
    breakers,
    reports,
    concurrency,
    clock,
    log,
    instruments: metrics?.instruments ?? noInstruments,
  };
  const deprecated = new Set<string>();
  const geocoderLine = createBudgetLine(clock);
  const guardGeocoder = createGuard({ name: GEOCODER_NAME, ...guarding });
  return createFetcher({
    providers: createFailover({
      providers: createProviders({
        settings: upstream,
        client,
        answers,
        clock,
        onDeprecated(provider) {
          if (deprecated.has(provider)) return;
          deprecated.add(provider);
          log.warn({ event: 'provider_deprecated', provider });
        },
      }),
      patienceMs: config.requestTimeoutMs,
      ...guarding,
    }),
    geocoder: createGeocoder({
      settings: upstream,
      client,
      // There is no other geocoder: it waits for its budget.
      guard: (signal, call, about) =>
        geocoderLine(signal, config.requestTimeoutMs, (admitted) => {
          const admittedCall = () => {
            admitted();
            return call();
          };
          return guardGeocoder(signal, admittedCall, about);
        }),
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

import { createCircuitBreaker } from './base/circuit-breaker.js';
import type { Config } from './config/config.js';
import { GEOCODER_NAME } from './config/providers.js';
import { memoryStore } from './memory/index.js';
import { GAZETTEER_FILE, loadGazetteer } from './places/gazetteer.js';
import { noInstruments } from './base/instruments.js';
import type { Lifecycle } from './process/lifecycle.js';
import type { Logger } from './process/log.js';
import type { Metrics } from './process/metrics.js';
import { createReadiness, type Readiness } from './process/readiness.js';
import { createBudgets } from './providers/provider-budgets.js';
import { createGeocoder, createProviders } from './providers/index.js';
import { timeZoneAt } from './providers/time-zone.js';
import type { Store } from './store.js';
import { createCallBudgets, waitForBudget } from './upstream/call-budgets.js';
import { createNameLookup, lookupsIn } from './upstream/name-lookup.js';
import { createUpstreamClient } from './upstream/upstream-client.js';
import { createFirstOf } from './upstream/first-of.js';
import { createCallPolicy, PROVIDER_BREAKER, type PolicyOptions } from './upstream/policy.js';
import { ttlWithin, type Ttl } from './weather/cache-entry.js';
import { DAY_MS } from './weather/durations.js';
import { createFetcher, register, type Fetcher } from './weather/fetch.js';
import type { Kinds } from './weather/kind.js';
import { POINT_KINDS, type TtlName } from './weather/kinds.js';
import { createLocator, type Locator } from './weather/location.js';
import { createLookup, type Lookup } from './weather/lookup.js';
import type { PointRequest } from './weather/point.js';
import { POSITION } from './weather/position.js';
import type { Clock, Gazetteer, Point } from './weather/types.js';

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
/** The position of a name does not change. Longer: a position that the geocoder corrects is used later. */
const POSITION_TTL: Ttl = { freshMs: DAY_MS, staleMs: 0 };

/** The inputs of every process. */
export interface ProcessContext {
  config: Config;
  log: Logger;
  clock: Clock;
  lifecycle: Lifecycle;
}

/** The services of a process that fetches: replica or worker. */
export interface CommonServices {
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
  /** Returns the IANA name of the time zone at a point. */
  timeZoneAt: (point: Point) => string;
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
  const upstreams = [...config.upstream.providers, GEOCODER_NAME];
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
  return { store, ...buildFetcher(parts, policyOptions), metrics };
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
    locator: createLocator(gazetteer, lookup),
    lookup,
    timeZoneAt,
    store,
    metrics,
    readiness: createReadiness({
      phase: () => lifecycle.phase,
      storeState: () => store.state(),
      requiresStore: config.readinessRequiresRedis,
    }),
  };
}

/** Providers and geocoder, each under its concurrency limit, circuit breaker, and budget. */
function buildFetcher(
  { config, log, clock, lifecycle }: ProcessContext,
  policyOptions: PolicyOptions,
): { fetcher: Fetcher; kinds: Kinds } {
  const { upstream, cache } = config;
  const client = createUpstreamClient({
    userAgent: upstream.userAgent,
    timeoutMs: upstream.timeoutMs,
    lookup: createNameLookup({ concurrency: lookupsIn(upstream.threads), clock }),
    clock,
  });
  lifecycle.onClose(() => {
    client.close();
  });
  const deprecated = new Set<string>();
  const providers = createProviders({
    settings: upstream,
    client,
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
  const firstOf = createFirstOf(providers, policyOptions);
  const geocoderPolicy = createCallPolicy(GEOCODER_NAME, policyOptions);
  const geocoder = createGeocoder({
    settings: upstream,
    client,
    // No other geocoder exists to fail over to.
    policy: (call) => waitForBudget(clock, call.signal, () => geocoderPolicy(call)),
  });
  const ttlOf = (name: TtlName): Ttl => ({
    freshMs: cache.ttlSeconds[name] * 1000,
    staleMs: cache.staleIfErrorSeconds * 1000,
  });
  const noSuchPlaceTtl = { freshMs: cache.negativeTtlSeconds * 1000, staleMs: 0 };
  return createFetcher({
    registrations: [
      ...POINT_KINDS.map(({ kind, ability, ttl }) =>
        register<PointRequest, unknown>(kind, {
          fetch: ({ point }, call) =>
            firstOf<unknown>((provider) => provider[ability], point, call),
          ttlOf: (value, presentAt = clock.now()) =>
            ttlWithin(ttlOf(ttl), kind.untilOver?.(value as never, presentAt) ?? Infinity),
        }),
      ),
      register(POSITION, {
        async fetch({ city, countryCode }, call) {
          const point = await geocoder.search(city, countryCode, call);
          return { value: point ?? null, provider: geocoder.name };
        },
        ttlOf: (point) => (point ? POSITION_TTL : noSuchPlaceTtl),
      }),
    ],
    timeoutMs: config.requestTimeoutMs,
    clock,
    log,
  });
}

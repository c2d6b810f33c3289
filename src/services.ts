import { setMaxListeners } from 'node:events';
import type { Config, RateLimit, RedisAddress } from './config/config.js';
import type { Readiness } from './http/routes/health.js';
import { noInstruments } from './process/instruments.js';
import { createAdmission, type Admission } from './limits/admission.js';
import { countInTurn, countLocally, countTogether, type Limiter } from './limits/limiters.js';
import { createRefusals, createTotalRefusal } from './limits/refusals.js';
import type { Logger } from './process/log.js';
import { createMemoryAnswers } from './memory/answers.js';
import { createMemoryBreakers } from './memory/breakers.js';
import { createMemoryCache } from './memory/cache.js';
import { createMemoryFetchQueue } from './memory/fetch-queue.js';
import { createMemorySessions } from './memory/sessions.js';
import { createMemorySlidingWindow } from './memory/sliding-window.js';
import { createMetrics, type Metrics } from './process/metrics.js';
import { createOpenMeteoGeocoder, GEOCODER_NAME } from './providers/open-meteo/geocoder.js';
import { GAZETTEER_FILE, loadGazetteer } from './places/gazetteer.js';
import { createProviderChain } from './providers/index.js';
import { createFailover } from './upstream/failover.js';
import { createGuard } from './upstream/guard.js';
import { listenForAnnouncements } from './redis/fetching/announcements.js';
import { createRedisAnswers } from './redis/answers.js';
import { createRedisBreakers } from './redis/breakers.js';
import { createRedisCache } from './redis/cache.js';
import { connect } from './redis/client/connection.js';
import { createRedisFetchQueue } from './redis/fetching/fetch-queue.js';
import { createFetchState } from './redis/fetching/fetch-state.js';
import { createGuardedStore, type GuardedStore } from './redis/client/guarded-store.js';
import { createFetchJobs, startFetchWorker, type FetchJobs } from './redis/fetching/jobs.js';
import { createLeasedFetch } from './redis/fetching/leased-fetch.js';
import { createRedisSessions } from './redis/sessions.js';
import { createRedisSlidingWindow, createRedisWindowPair } from './redis/sliding-window.js';
import { createUpstreamClient } from './upstream/client.js';
import { createCurrentWeather, type CurrentWeather } from './weather/current-weather.js';
import { createFetcher, type Fetcher } from './weather/fetch.js';
import { createLookup, type NearCache } from './weather/lookup.js';
import type { FetchQueue } from './weather/queue.js';
import type { RecentSearches, SessionStore } from './weather/searches.js';
import type { Clock } from './weather/types.js';

/**
 * The composition root: the only place that knows that there are two kinds of store. Without Redis
 * everything is in this process; with Redis the same pieces stand by for the time that it is away.
 */

/** Bounds of what one process keeps, in entries. With all of them full it takes about 400 MB. */
const MAX_CACHE_ENTRIES = 20_000;
const MAX_PROVIDER_ANSWERS = 5000;
const MAX_SESSIONS = 50_000;
const MAX_LIMITED_ADDRESSES = { ip: 100_000, searches: 20_000 };
/** Of 16 bytes each. */
const MAX_LIMIT_SLOTS = { ip: 1_000_000, searches: 200_000, total: 2000 };
const MAX_REFUSED_ADDRESSES = 20_000;
const MIN_UPSTREAM_SOCKETS = 64;
/** Of the 250 ms that a request may wait for Redis in all, this is for the look-up it may share. */
const LOOKUP_STORE_TIME_MS = 125;

export interface Services {
  weather: CurrentWeather;
  /** Aborts when the process ends. */
  ending: AbortSignal;
  admission: Admission;
  /** The clock that decides the rate limits, in Unix milliseconds. */
  limitsNow: () => number;
  sessions: SessionStore;
  searches: RecentSearches;
  /** Undefined when no port is set for them. */
  metrics: Metrics | undefined;
  /** How Redis is: answers within a quarter of a second. */
  readiness(): Promise<Readiness>;
  /** Ends the fetches that run, takes no more jobs and closes every connection. */
  close(limitMs: number): Promise<void>;
}

/** What the parts are built from. */
interface Parts {
  config: Config;
  log: Logger;
  clock: Clock;
  metrics: Metrics | undefined;
  /** Aborts when the process ends. */
  ending: AbortSignal;
  /** Closed in reverse order when the process ends. */
  onClose: (close: (limitMs: number) => Promise<void> | void) => void;
}

/** @throws when the gazetteer has not been built */
export function createServices(config: Config, log: Logger, clock: Clock): Services {
  const ending = new AbortController();
  // Every fetch that runs listens to it.
  setMaxListeners(0, ending.signal);
  const closers: ((limitMs: number) => Promise<void> | void)[] = [];
  const metrics = config.metricsPort === undefined ? undefined : createMetrics();
  const parts: Parts = {
    config,
    log,
    clock,
    metrics,
    ending: ending.signal,
    onClose: (close) => void closers.push(close),
  };

  const store = config.redis && openStore(parts, config.redis);
  const near = createMemoryCache({ clock, maxEntries: MAX_CACHE_ENTRIES });
  const jobs = store && createFetchJobs(store);
  const fetcher = buildFetcher(parts, store, jobs);
  const local = createMemoryFetchQueue({ fetcher, cache: near, signal: ending.signal });
  const lookup = createLookup({
    near,
    ...(store && jobs && config.redis
      ? shareLookup(parts, { store, jobs, address: config.redis, near, fetcher, local })
      : { shared: undefined, queue: local }),
    clock,
    refreshAheadMs: config.cache.refreshAheadSeconds * 1000,
    storeTimeMs: LOOKUP_STORE_TIME_MS,
  });
  const { ttlSeconds } = config.session;

  return {
    weather: createCurrentWeather({ gazetteer: loadGazetteer(GAZETTEER_FILE), lookup, clock }),
    ending: ending.signal,
    admission: buildLimits(parts, store),
    limitsNow: store ? () => store.now() : () => clock.now(),
    ...(store
      ? createRedisSessions(store, ttlSeconds)
      : createMemorySessions({ clock, ttlSeconds, maxSessions: MAX_SESSIONS })),
    metrics,
    async readiness() {
      if (!store) return { ready: true, checks: { redis: 'not_configured' } };
      const up = await store.check();
      const ready = store.wasReached && (up || !config.readinessRequiresRedis);
      return { ready, checks: { redis: up ? 'ok' : 'down' } };
    },
    async close(limitMs) {
      ending.abort(new Error('The process ends'));
      for (const close of closers.toReversed()) await close(limitMs);
    },
  };
}

function openStore({ log, metrics, onClose }: Parts, address: RedisAddress): GuardedStore {
  // What goes wrong on a connection shows in the store's own state.
  const client = connect(address, 'requests', () => undefined);
  const store = createGuardedStore(client, log, metrics?.instruments ?? noInstruments);
  onClose(() => {
    store.close();
  });
  return store;
}

/** The cache and the queue that all processes share; this one may run a worker too. */
function shareLookup(
  { config, log, clock, ending, onClose }: Parts,
  shared: {
    store: GuardedStore;
    jobs: FetchJobs;
    address: RedisAddress;
    near: NearCache;
    fetcher: Fetcher;
    local: FetchQueue;
  },
) {
  const { store, jobs, address, near, fetcher, local } = shared;
  const cache = createRedisCache(store, clock);
  const state = createFetchState(store, clock);
  const leased = (by: 'worker' | 'replica') =>
    createLeasedFetch({ store, state, cache, fetcher, clock, by });

  const announcements = listenForAnnouncements(connect(address, 'subscriber', () => undefined));
  onClose(() => {
    announcements.close();
  });
  // A refreshed entry replaces the copy that this process still holds of the older one.
  announcements.onEach(({ key }) => {
    if (!near.peek(key)) return;
    cache.get(key).then(
      (entry) => {
        if (entry) near.put(key, entry);
      },
      () => undefined,
    );
  });

  if (config.runWorker) {
    const client = connect(address, 'worker', () => undefined);
    const fetch = leased('worker');
    const worker = startFetchWorker({ client, store, fetch, log, signal: ending });
    onClose((limitMs) => worker.close(limitMs));
  }
  const queue = createRedisFetchQueue({
    jobs,
    state,
    announcements,
    leasedFetch: leased('replica'),
    local,
    clock,
    log,
    timeoutMs: config.requestTimeoutMs,
    refreshAheadMs: config.cache.refreshAheadSeconds * 1000,
    signal: ending,
  });
  return { shared: cache, queue };
}

/** Providers and geocoder, each under its cap and its breaker. */
function buildFetcher(
  { config, log, clock, metrics, onClose }: Parts,
  store: GuardedStore | undefined,
  jobs: FetchJobs | undefined,
): Fetcher {
  const { upstream, cache } = config;
  const { concurrency } = upstream;
  const instruments = metrics?.instruments ?? noInstruments;

  const client = createUpstreamClient({
    userAgent: upstream.userAgent,
    timeoutMs: upstream.timeoutMs,
    // A call must not wait for a socket inside its own time.
    maxSockets: Math.max(MIN_UPSTREAM_SOCKETS, concurrency),
    clock,
  });
  onClose(() => {
    client.close();
  });
  const own = createMemoryBreakers(clock);
  const breakers = store ? createRedisBreakers(store, own) : own;
  const answers = store
    ? createRedisAnswers(store)
    : createMemoryAnswers({ clock, maxEntries: MAX_PROVIDER_ANSWERS });
  metrics?.watch({
    backlog: jobs && (() => jobs.backlog()),
    breakerOpen: (provider) => breakers.isOpen(provider),
    providers: [...upstream.providers, GEOCODER_NAME],
  });

  const guarding = { breakers, concurrency, log, instruments };
  return createFetcher({
    providers: createFailover({
      providers: createProviderChain({ settings: upstream, client, answers, clock }),
      ...guarding,
    }),
    geocoder: createOpenMeteoGeocoder({
      client,
      baseUrl: upstream.openMeteoGeocodingUrl,
      guard: createGuard({ name: GEOCODER_NAME, ...guarding }),
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

function buildLimits({ config, clock }: Parts, store: GuardedStore | undefined): Admission {
  const { perIp, total, replicasHint } = config.rateLimits;
  // While Redis is unavailable, each replica admits its share.
  const share = (limit: number) => (store ? Math.max(1, Math.floor(limit / replicasHint)) : limit);
  const memory = ({ limit, windowSeconds }: RateLimit, maxKeys: number, maxSlots: number) =>
    limit === 0
      ? undefined
      : createMemorySlidingWindow({ limit: share(limit), windowSeconds, clock, maxKeys, maxSlots });
  const localTotal = memory(total, 1, MAX_LIMIT_SLOTS.total);
  const totalRefusal = createTotalRefusal();

  function build(name: 'ip' | 'searches'): Limiter {
    const local = memory(perIp, MAX_LIMITED_ADDRESSES[name], MAX_LIMIT_SLOTS[name]);
    if (!store) return countLocally(local, localTotal);
    const maxClients = MAX_REFUSED_ADDRESSES;
    const refusals = createRefusals({ clock, maxClients, total: totalRefusal });
    const own = { name, ...perIp };
    const all = { name: 'total', ...total };
    if (local && localTotal && config.redis?.kind !== 'cluster') {
      const pair = createRedisWindowPair(store, own, all);
      return countTogether({ pair, own: local, total: localTotal, refusals, clock });
    }
    return countInTurn({
      own: local && { shared: createRedisSlidingWindow(store, own), local },
      total: localTotal && { shared: createRedisSlidingWindow(store, all), local: localTotal },
      refusals,
      clock,
    });
  }

  return createAdmission({ weather: build('ip'), searches: build('searches') });
}

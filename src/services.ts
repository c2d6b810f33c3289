import type { Config, ProviderName } from './config.js';
import type { Readiness } from './http/routes/health.js';
import { createLimits, type Limits, type SlidingWindow } from './limits.js';
import type { Logger } from './log.js';
import { createMemoryAnswers } from './memory/answers.js';
import { createMemoryBreakers } from './memory/breakers.js';
import { createMemoryCache } from './memory/cache.js';
import { createMemoryFetchQueue } from './memory/fetch-queue.js';
import { createMemorySessions } from './memory/sessions.js';
import { createMemorySlidingWindow } from './memory/sliding-window.js';
import { createOpenMeteoGeocoder, GEOCODER_NAME } from './places/geocoder.js';
import { GAZETTEER_FILE, loadGazetteer } from './places/gazetteer.js';
import { createDemo } from './providers/demo.js';
import { createFailover } from './providers/failover.js';
import { createGuard } from './providers/guard.js';
import { createMetNorway } from './providers/met-norway.js';
import { createOpenMeteo } from './providers/open-meteo.js';
import { createOpenWeatherMap } from './providers/openweathermap.js';
import type { AnswerStore, Breakers } from './providers/ports.js';
import { listenForAnnouncements } from './redis/announcements.js';
import { createRedisAnswers } from './redis/answers.js';
import { createRedisBreakers } from './redis/breakers.js';
import { createRedisCache } from './redis/cache.js';
import { connect } from './redis/connection.js';
import { createRedisFetchQueue } from './redis/fetch-queue.js';
import { createFetchState } from './redis/fetch-state.js';
import { createGuardedStore, type GuardedStore } from './redis/guarded-store.js';
import { createFetchJobs, startFetchWorker } from './redis/jobs.js';
import { createLeasedFetch } from './redis/leased-fetch.js';
import { createRedisSessions } from './redis/sessions.js';
import { createRedisSlidingWindow } from './redis/sliding-window.js';
import { createUpstreamClient, type UpstreamClient } from './upstream.js';
import type { Cache } from './weather/cache.js';
import { createCurrentWeather, type CurrentWeather } from './weather/current-weather.js';
import { createFetcher, type Fetcher } from './weather/fetch.js';
import { createLookup } from './weather/lookup.js';
import type { FetchQueue } from './weather/queue.js';
import type { RecentSearches, SessionStore } from './weather/searches.js';
import type { Clock, WeatherProvider } from './weather/types.js';

/**
 * The composition root: the only place that knows that there are two kinds of store. Without Redis
 * everything is in this process; with Redis the same pieces stand by for the time that it is away.
 */

/** Bounds of what one process keeps, in entries: together well under 100 MB. */
const MAX_CACHE_ENTRIES = 20_000;
const MAX_SESSIONS = 50_000;
const MAX_LIMITED_ADDRESSES = 100_000;
/** Of the 250 ms that a request may wait for Redis in all, this is for the look-up it may share. */
const LOOKUP_STORE_BUDGET_MS = 75;

export interface Services {
  weather: CurrentWeather;
  limits: Limits;
  /** The clock that decides the limits, in Unix milliseconds. */
  limitsNow: () => number;
  sessions: SessionStore;
  searches: RecentSearches;
  /** How Redis is: answers within a quarter of a second. */
  readiness(): Promise<Readiness>;
  /** Ends the fetches that run, takes no more jobs and closes every connection. */
  close(limitMs: number): Promise<void>;
}

interface Shared {
  store: GuardedStore;
  cache: Cache;
}

/** @throws when the gazetteer has not been built */
export function createServices(config: Config, log: Logger, clock: Clock): Services {
  const ending = new AbortController();
  const { signal } = ending;
  const closers: ((limitMs: number) => Promise<void> | void)[] = [];

  const gazetteer = loadGazetteer(GAZETTEER_FILE);
  const near = createMemoryCache({ clock, maxEntries: MAX_CACHE_ENTRIES });
  const shared = config.redis && openStore(config.redis);
  const fetcher = buildFetcher(shared?.store);
  const local = createMemoryFetchQueue({ fetcher, cache: near, signal });
  const refreshAheadMs = config.cache.refreshAheadSeconds * 1000;
  const lookup = createLookup({
    near,
    shared: shared?.cache,
    queue: shared ? openQueue(shared, local, fetcher) : local,
    clock,
    refreshAheadMs,
    storeBudgetMs: LOOKUP_STORE_BUDGET_MS,
  });

  function openStore(address: NonNullable<Config['redis']>): Shared {
    const client = connect(address, 'requests', () => undefined);
    const store = createGuardedStore(client, log);
    closers.push(() => {
      store.close();
    });
    return { store, cache: createRedisCache(store, clock) };
  }

  function openQueue({ store, cache }: Shared, memory: FetchQueue, fetch: Fetcher): FetchQueue {
    const address = config.redis!;
    const state = createFetchState(store, clock);
    const leased = (by: 'worker' | 'replica') =>
      createLeasedFetch({ store, state, cache, fetcher: fetch, clock, by });
    const announcements = listenForAnnouncements(connect(address, 'subscriber', () => undefined));
    closers.push(() => {
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
      const worker = startFetchWorker({ client, store, fetch: leased('worker'), log, signal });
      closers.push((limitMs) => worker.close(limitMs));
    }
    return createRedisFetchQueue({
      jobs: createFetchJobs(store),
      state,
      announcements,
      leasedFetch: leased('replica'),
      local: memory,
      clock,
      log,
      timeoutMs: config.requestTimeoutMs,
      refreshAheadMs,
      signal,
    });
  }

  function buildFetcher(store: GuardedStore | undefined): Fetcher {
    const { upstream, cache } = config;
    const client = createUpstreamClient({
      userAgent: upstream.userAgent,
      timeoutMs: upstream.timeoutMs,
      clock,
    });
    closers.push(() => {
      client.close();
    });
    const memoryBreakers = createMemoryBreakers(clock);
    const breakers: Breakers = store ? createRedisBreakers(store, memoryBreakers) : memoryBreakers;
    const answers: AnswerStore = store
      ? createRedisAnswers(store)
      : createMemoryAnswers({ clock, maxEntries: MAX_CACHE_ENTRIES });
    const { concurrency } = upstream;
    return createFetcher({
      providers: createFailover({
        providers: upstream.providers.map((name) =>
          buildProvider(name, upstream, client, answers, clock),
        ),
        breakers,
        concurrency,
        log,
      }),
      geocoder: createOpenMeteoGeocoder({
        client,
        baseUrl: upstream.openMeteoGeocodingUrl,
        guard: createGuard({ name: GEOCODER_NAME, breakers, concurrency, log }),
      }),
      lives: {
        weather: {
          freshMs: cache.ttlSeconds * 1000,
          staleMs: cache.staleIfErrorSeconds * 1000,
        },
        noSuchPlace: { freshMs: cache.negativeTtlSeconds * 1000, staleMs: 0 },
      },
      clock,
      log,
    });
  }

  const { ttlSeconds } = config.session;
  const { sessions, searches } = shared
    ? createRedisSessions(shared.store, ttlSeconds)
    : createMemorySessions({ clock, ttlSeconds, maxSessions: MAX_SESSIONS });

  return {
    weather: createCurrentWeather({ gazetteer, lookup, clock }),
    limits: buildLimits(config.limits, shared?.store, clock),
    limitsNow: shared ? () => shared.store.now() : () => clock.now(),
    sessions,
    searches,
    async readiness() {
      if (!shared) return { ready: true, checks: { redis: 'not_configured' } };
      const up = await shared.store.check();
      const ready = shared.store.wasReached && (up || !config.readinessRequiresRedis);
      return { ready, checks: { redis: up ? 'ok' : 'down' } };
    },
    async close(limitMs) {
      ending.abort(new Error('The process ends'));
      // In reverse: what uses the store is closed before it.
      for (const close of closers.toReversed()) await close(limitMs);
    },
  };
}

function buildProvider(
  name: ProviderName,
  upstream: Config['upstream'],
  client: UpstreamClient,
  answers: AnswerStore,
  clock: Clock,
): WeatherProvider {
  switch (name) {
    case 'open-meteo':
      return createOpenMeteo({
        client,
        baseUrl: upstream.openMeteoUrl,
        apiKey: upstream.openMeteoApiKey,
      });
    case 'met-norway':
      return createMetNorway({ client, baseUrl: upstream.metNorwayUrl, answers, clock });
    case 'openweathermap':
      return createOpenWeatherMap({
        client,
        baseUrl: upstream.openWeatherMapUrl,
        apiKey: upstream.openWeatherMapApiKey ?? '',
      });
    case 'demo':
      return createDemo(clock);
  }
}

function buildLimits(
  { perIp, total, replicasHint }: Config['limits'],
  store: GuardedStore | undefined,
  clock: Clock,
): Limits {
  const build = (
    name: string,
    { limit, windowSeconds }: { limit: number; windowSeconds: number },
    maxKeys: number,
  ): { window?: SlidingWindow; standIn?: SlidingWindow } => {
    if (limit === 0) return {};
    const memory = (share: number) =>
      createMemorySlidingWindow({ limit: share, windowSeconds, clock, maxKeys });
    if (!store) return { window: memory(limit) };
    return {
      window: createRedisSlidingWindow(store, { name, limit, windowSeconds }),
      standIn: memory(Math.max(1, Math.floor(limit / replicasHint))),
    };
  };
  const address = build('ip', perIp, MAX_LIMITED_ADDRESSES);
  const all = build('total', total, 1);
  return createLimits({
    perIp: address.window,
    total: all.window,
    localPerIp: address.standIn,
    localTotal: all.standIn,
  });
}

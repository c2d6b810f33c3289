import Joi from 'joi';
import { SERVICE_NAME, SERVICE_REPOSITORY, SERVICE_VERSION } from '../process/version.js';
import { PUBLIC_HOSTS } from './public-hosts.js';
import * as is from './rules.js';
import { variable, variablesOf } from './variable.js';

const SERVICES = ['open-meteo', 'met-norway', 'openweathermap', 'weather-gov'] as const;

/** A weather service that is asked over the network. */
export type ServiceName = (typeof SERVICES)[number];
export type ProviderName = ServiceName | 'demo';

/** The default of `UPSTREAM_USER_AGENT`: it names nobody who runs this deployment. */
export const DEFAULT_USER_AGENT = `${SERVICE_NAME}/${SERVICE_VERSION} ${SERVICE_REPOSITORY}`;

/**
 * Every environment variable that the service reads, and the setting that it becomes:
 * `cache.ttlSeconds` here is `config.cache.ttlSeconds` everywhere else. The table in the README and
 * `.env.example` are written from it by `npm run docs:config`.
 */
export const VARIABLES = {
  mode: variable('NODE_ENV', is.oneOf('development', 'test', 'production'), {
    default: 'development',
    meaning:
      '`production` demands `SESSION_SECRET_KEY` and a Redis address, and never serves the `demo` provider',
  }),
  host: variable('HOST', Joi.string().hostname(), {
    default: '0.0.0.0',
    meaning: 'address on which the API listens',
  }),
  port: variable('PORT', is.port, {
    default: '8080',
    meaning: 'port on which the API listens; `0`: any free one',
  }),
  redis: {
    url: variable('REDIS_URL', is.redisUrl, {
      example: 'redis://user:password@localhost:6379',
      meaning:
        '`redis://` or `rediss://`, with user and password. Not set, outside production: everything runs in one process, in memory',
    }),
    clusterNodes: variable('REDIS_CLUSTER_NODES', is.list(is.address), {
      example: 'host:6379,host:6379',
      meaning:
        'Redis Cluster instead: `host:port`, comma-separated. `REDIS_URL` beside it gives user, password and TLS',
    }),
    sentinels: variable('REDIS_SENTINELS', is.list(is.address), {
      example: 'host:26379,host:26379',
      meaning:
        'Redis Sentinel instead: `host:port`, comma-separated. `REDIS_URL` beside it gives user, password and TLS',
    }),
    sentinelMaster: variable('REDIS_SENTINEL_MASTER', is.text, {
      example: 'mymaster',
      meaning: "the master's name, as the sentinels know it",
    }),
    sentinelPassword: variable('REDIS_SENTINEL_PASSWORD', is.text, {
      meaning: "the sentinels' own password; Redis's is in `REDIS_URL`",
    }),
  },
  redisPrefix: variable('REDIS_PREFIX', is.namePrefix, {
    default: 'weather',
    meaning:
      'begins the name of every key, channel and queue: deployments with different prefixes can share a Redis',
  }),
  session: {
    keys: variable('SESSION_SECRET_KEY', is.list(is.text), {
      defaultInWords: 'random per start',
      meaning:
        'signs the session cookie; in production at least 32 characters. Comma-separated: the first key signs, all verify',
    }),
    ttlSeconds: variable('SESSION_TTL_SECONDS', is.seconds, {
      default: '86400',
      meaning: 'life of a session and its recent searches; each search renews it',
    }),
    unconfirmedTtlSeconds: variable('SESSION_UNCONFIRMED_TTL_SECONDS', is.seconds, {
      default: '1800',
      meaning:
        'life of a session until its cookie has come back once: clients that keep no cookies must not fill Redis',
    }),
  },
  corsOrigins: variable(
    'CORS_ORIGINS',
    Joi.alternatives<string[] | '*'>(is.oneOf('*'), is.list(is.origin)),
    {
      defaultInWords: '`*`, in production none',
      example: 'https://app.example.com',
      meaning: 'origins of browser clients: one, a comma-separated list, or `*` for all',
    },
  ),
  log: {
    level: variable('LOG_LEVEL', is.oneOf('DEBUG', 'INFO', 'WARNING', 'ERROR').uppercase(), {
      default: 'INFO',
      meaning: 'least level to log: `DEBUG`, `INFO`, `WARNING` or `ERROR`',
    }),
    enabled: variable('ENABLE_LOGGING', is.flag, {
      default: 'true',
      meaning: '`false` silences every record',
    }),
  },
  cache: {
    ttlSeconds: variable('CACHE_TTL_SECONDS', is.seconds, {
      default: '300',
      meaning: 'life of a fresh cache entry',
    }),
    staleIfErrorSeconds: variable('STALE_IF_ERROR_SECONDS', is.secondsOrOff, {
      default: '3600',
      meaning: 'how long an expired entry may still answer while every provider fails; `0`: never',
    }),
    refreshAheadSeconds: variable('REFRESH_AHEAD_SECONDS', is.secondsOrOff, {
      default: '20',
      meaning:
        'in this last part of the life of an entry, at most a tenth, its third request starts a refresh in the background; `0`: never',
    }),
    negativeTtlSeconds: variable('NEGATIVE_TTL_SECONDS', is.secondsOrOff, {
      default: '60',
      meaning: 'how long "no such place" is remembered',
    }),
  },
  rateLimits: {
    perIp: {
      limit: variable('RATE_LIMIT_PER_IP', is.requests, {
        default: '30',
        meaning:
          'weather requests of one client address in a window; as many for recent searches and ten times as many suggestions, each counted apart; `0`: no limit',
      }),
      windowSeconds: variable('RATE_LIMIT_PER_IP_WINDOW_SECONDS', is.seconds, {
        default: '60',
        meaning: 'length of the sliding window of `RATE_LIMIT_PER_IP`',
      }),
    },
    total: {
      limit: variable('RATE_LIMIT_TOTAL', is.requests, {
        default: '200',
        meaning:
          'requests under `/api/` of all clients in a window, health and suggestions excepted; `0`: no limit',
      }),
      windowSeconds: variable('RATE_LIMIT_TOTAL_WINDOW_SECONDS', is.seconds, {
        default: '3600',
        meaning: 'length of the sliding window of `RATE_LIMIT_TOTAL`',
      }),
    },
    dryRun: variable('RATE_LIMIT_DRY_RUN', is.flag, {
      default: 'false',
      meaning:
        '`true`: the limits count and tell what they would refuse (header, record, metric), and refuse nothing',
    }),
    replicasHint: variable('REPLICAS_HINT', is.count(1, 100_000), {
      default: '1',
      meaning:
        'number of replicas: while Redis is unavailable, each applies its share of the limits',
    }),
  },
  trustedProxies: variable('TRUST_PROXY', is.count(0, 32), {
    default: '0',
    meaning: 'exact number of trusted reverse proxies in front',
  }),
  upstream: {
    providers: variable('WEATHER_PROVIDERS', is.list<ProviderName>(is.oneOf(...SERVICES, 'demo')), {
      default: 'open-meteo,met-norway,demo',
      productionDefault: 'open-meteo,met-norway',
      meaning:
        'failover order; also `openweathermap`, which needs its key, and `weather-gov`, which knows the United States only',
    }),
    openMeteoUrl: variable('OPEN_METEO_URL', is.baseUrl, {
      defaultInWords: "the public host, with a key the customers' host",
      example: 'https://api.open-meteo.com',
      meaning: 'base URL of Open-Meteo, without a path',
    }),
    openMeteoGeocodingUrl: variable('OPEN_METEO_GEOCODING_URL', is.baseUrl, {
      defaultInWords: "the public host, with a key the customers' host",
      example: 'https://geocoding-api.open-meteo.com',
      meaning: "base URL of Open-Meteo's search by name, without a path",
    }),
    openMeteoApiKey: variable('OPEN_METEO_API_KEY', is.text, {
      meaning: 'key of a customer of Open-Meteo',
    }),
    metNorwayUrl: variable('MET_NORWAY_URL', is.baseUrl, {
      default: PUBLIC_HOSTS.metNorway,
      meaning: 'base URL of MET Norway, without a path',
    }),
    openWeatherMapUrl: variable('OPENWEATHERMAP_URL', is.baseUrl, {
      default: PUBLIC_HOSTS.openWeatherMap,
      meaning: 'base URL of OpenWeatherMap, without a path',
    }),
    openWeatherMapApiKey: variable('OPENWEATHERMAP_API_KEY', is.text, {
      meaning: 'key for OpenWeatherMap',
    }),
    weatherGovUrl: variable('WEATHER_GOV_URL', is.baseUrl, {
      default: PUBLIC_HOSTS.weatherGov,
      meaning: 'base URL of api.weather.gov, without a path',
    }),
    budgets: variable('PROVIDER_BUDGETS', is.budgets(...SERVICES), {
      defaultInWords:
        '`open-meteo=600/60,5000/3600,10000/86400;met-norway=20/1;openweathermap=60/60`, towards public hosts only',
      example: 'open-meteo=600/60,5000/3600,10000/86400;met-norway=20/1;openweathermap=60/60',
      whenEmpty: 'none',
      meaning:
        'calls/seconds that all processes together may make to a provider, in sliding windows; set to nothing: no limit. The default does not hold for another `…_URL`, nor for Open-Meteo with a key; a value of your own always holds',
    }),
    userAgent: variable('UPSTREAM_USER_AGENT', is.headerText, {
      default: DEFAULT_USER_AGENT,
      defaultInWords: 'name, version, repository',
      example: 'my-weather/1.0 ops@example.com',
      meaning: 'tells providers who calls: put a contact of yours in it, MET Norway demands one',
    }),
    timeoutMs: variable('UPSTREAM_TIMEOUT_MS', is.milliseconds, {
      default: '10000',
      meaning: 'time limit of one attempt at one provider',
    }),
    concurrency: variable('UPSTREAM_CONCURRENCY', is.count(1, 1000), {
      default: '4',
      meaning: 'calls in flight at one provider, per process',
    }),
  },
  requestTimeoutMs: variable('REQUEST_TIMEOUT_MS', is.milliseconds, {
    default: '120000',
    meaning: 'the longest that any request may take',
  }),
  runWorker: variable('RUN_WORKER', is.flag, {
    default: 'true',
    productionDefault: 'false',
    meaning: 'whether the API process also runs a fetch worker',
  }),
  readinessRequiresRedis: variable('READINESS_REQUIRES_REDIS', is.flag, {
    default: 'true',
    meaning: '`false`: a replica stays ready, degraded, while Redis is unavailable',
  }),
  shutdown: {
    delayMs: variable('SHUTDOWN_DELAY_MS', is.millisecondsOrNone, {
      default: '0',
      productionDefault: '5000',
      meaning: 'time between "not ready" and closing',
    }),
    timeoutMs: variable('SHUTDOWN_TIMEOUT_MS', is.milliseconds, {
      default: '25000',
      meaning: 'time after `SHUTDOWN_DELAY_MS` until open connections are cut',
    }),
  },
  metricsPort: variable('METRICS_PORT', is.port, {
    example: '9464',
    meaning: 'when set: Prometheus metrics at `/metrics` on this port, never on the public one',
  }),
};

/** The names of all variables that the service reads. */
export const VARIABLE_NAMES = variablesOf(VARIABLES).map(({ name }) => name);

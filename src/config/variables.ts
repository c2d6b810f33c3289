import Joi from 'joi';
import { SERVICE_NAME, SERVICE_REPOSITORY, SERVICE_VERSION } from '../process/version.js';
import { SERVICE_NAMES, type ProviderName } from './providers.js';
import {
  API_KEYS,
  DEFAULT_BUDGETS,
  DEFAULT_CHAIN,
  OTHER_PROVIDERS,
  URLS,
} from './provider-variables.js';
import * as is from './rules.js';
import { REDIS } from './redis-variables.js';
import { variable, variablesOf } from './variable.js';

/** The default of `UPSTREAM_USER_AGENT`: it names nobody who runs this deployment. */
export const DEFAULT_USER_AGENT = `${SERVICE_NAME}/${SERVICE_VERSION} ${SERVICE_REPOSITORY}`;

/**
 * Every environment variable that the service reads, and the setting that it becomes:
 * `cache.ttlSeconds` here is `config.cache.ttlSeconds` everywhere else. `npm run docs:config` writes
 * docs/configuration.md and `.env.example` from it.
 */
export const VARIABLES = {
  mode: variable('NODE_ENV', is.oneOf('development', 'test', 'production'), {
    default: 'development',
    meaning:
      'in `production` the service needs `SESSION_SECRET_KEY` and a Redis address, and never uses the `demo` provider',
  }),
  host: variable('HOST', is.host, {
    default: '0.0.0.0',
    meaning: 'address on which the API listens',
  }),
  port: variable('PORT', is.port, {
    default: '8080',
    meaning: 'port on which the API listens; `0`: any free port',
  }),
  redis: REDIS,
  redisPrefix: variable('REDIS_PREFIX', is.namePrefix, {
    default: 'weather',
    meaning:
      'begins the name of every key, channel and queue: deployments with different prefixes can share a Redis. At most 40 letters, digits, dots, hyphens and underscores',
  }),
  session: {
    keys: variable('SESSION_SECRET_KEY', is.list(is.text), {
      defaultInWords: 'random per start',
      meaning:
        'signs the session cookie; in production at least 32 characters. Several keys, comma-separated: the first signs, all verify',
    }),
    ttlSeconds: variable('SESSION_TTL_SECONDS', is.seconds, {
      default: '86400',
      meaning: 'a session and its recent searches expire this long after the last search',
    }),
    unconfirmedTtlSeconds: variable('SESSION_UNCONFIRMED_TTL_SECONDS', is.seconds, {
      default: '1800',
      meaning:
        'the same until the client has sent the cookie back once, so that clients without cookies do not fill Redis',
    }),
  },
  corsOrigins: variable(
    'CORS_ORIGINS',
    Joi.alternatives<string[] | '*'>(is.oneOf('*'), is.list(is.origin)),
    {
      defaultInWords: '`*`, in production none',
      example: 'https://app.example.com',
      meaning: 'origins of pages that may call the API from a browser, comma-separated; `*`: all',
    },
  ),
  log: {
    level: variable('LOG_LEVEL', is.oneOf('DEBUG', 'INFO', 'WARNING', 'ERROR').uppercase(), {
      default: 'INFO',
      meaning: 'lowest level that is logged: `DEBUG`, `INFO`, `WARNING` or `ERROR`',
    }),
    enabled: variable('ENABLE_LOGGING', is.flag, {
      default: 'true',
      meaning:
        '`false`: nothing is logged; only why a process had to end is told, on standard error',
    }),
  },
  cache: {
    ttlSeconds: variable('CACHE_TTL_SECONDS', is.seconds, {
      default: '300',
      meaning:
        'TTL of a fresh cache entry; an entry from MET Norway is fresh until its response expires, if that is later',
    }),
    forecastTtlSeconds: variable('FORECAST_TTL_SECONDS', is.seconds, {
      default: '1800',
      meaning: 'the same for an entry with a daily forecast',
    }),
    staleIfErrorSeconds: variable('STALE_IF_ERROR_SECONDS', is.secondsOrOff, {
      default: '3600',
      meaning:
        'how long after that it may still be given, as stale, while every provider fails; `0`: never',
    }),
    refreshAheadSeconds: variable('REFRESH_AHEAD_SECONDS', is.secondsOrOff, {
      default: '20',
      meaning:
        "refresh early: in this last part of an entry's life (at most a tenth of it) the third request that a process gets for the entry starts a refresh in the background; `0`: never",
    }),
    negativeTtlSeconds: variable('NEGATIVE_TTL_SECONDS', is.secondsOrOff, {
      default: '60',
      meaning: 'how long the answer "no such place" is cached; `0`: not at all',
    }),
  },
  rateLimits: {
    perIp: {
      limit: variable('RATE_LIMIT_PER_IP', is.requests, {
        default: '30',
        meaning:
          'weather requests that one client IP may send per window, at most 1,000,000. Recent searches have the same limit, suggestions ten times as much; the three are counted separately. `0`: no limit',
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
          'requests under `/api/` that all clients together may send per window, at most 1,000,000, without health checks and suggestions; `0`: no limit. While it is set, one node of a cluster counts all rate limits',
      }),
      windowSeconds: variable('RATE_LIMIT_TOTAL_WINDOW_SECONDS', is.seconds, {
        default: '3600',
        meaning: 'length of the sliding window of `RATE_LIMIT_TOTAL`',
      }),
    },
    dryRun: variable('RATE_LIMIT_DRY_RUN', is.flag, {
      default: 'false',
      meaning:
        '`true`: no limit refuses a request; header, log and metric name the requests that would be refused',
    }),
    replicasHint: variable('REPLICAS_HINT', is.count(1, 100_000), {
      default: '1',
      meaning:
        "number of replicas. It is used only while Redis is unavailable: each replica then applies the total rate limit and the providers' budgets divided by it",
    }),
  },
  trustedProxies: variable('TRUST_PROXY', is.count(0, 32), {
    default: '0',
    meaning: 'exact number of reverse proxies in front of the service',
  }),
  upstream: {
    providers: variable(
      'WEATHER_PROVIDERS',
      is.list<ProviderName>(is.oneOf(...SERVICE_NAMES, 'demo')),
      {
        default: `${DEFAULT_CHAIN},demo`,
        productionDefault: DEFAULT_CHAIN,
        meaning: `providers in the order in which they are tried. Others: ${OTHER_PROVIDERS}`,
      },
    ),
    urls: URLS,
    apiKeys: API_KEYS,
    budgets: variable('PROVIDER_BUDGETS', is.budgets(...SERVICE_NAMES), {
      defaultInWords: `\`${DEFAULT_BUDGETS}\`, for the public hosts`,
      example: DEFAULT_BUDGETS,
      whenEmpty: 'none',
      meaning:
        '`calls/seconds` that all processes together may make to each provider, in sliding windows, and up to twice as many around an outage of Redis. Set to nothing: no limit. The defaults apply to the public hosts only: not if you set another `…_URL`, and not to Open-Meteo with an API key. A value that you set always applies',
    }),
    userAgent: variable('UPSTREAM_USER_AGENT', is.headerText, {
      default: DEFAULT_USER_AGENT,
      defaultInWords: 'name, version, repository',
      example: 'my-weather/1.0 ops@example.com',
      meaning:
        'identifies you to the providers: put a contact address in it. Without one MET Norway is not asked in production',
    }),
    timeoutMs: variable('UPSTREAM_TIMEOUT_MS', is.milliseconds, {
      default: '10000',
      meaning: 'time limit of one call to a provider',
    }),
    concurrency: variable('UPSTREAM_CONCURRENCY', is.count(1, 1000), {
      default: '4',
      meaning: 'concurrency limit: calls in flight to each provider, per process',
    }),
  },
  requestTimeoutMs: variable('REQUEST_TIMEOUT_MS', is.milliseconds, {
    default: '120000',
    meaning:
      'time limit of a request: after it the client gets stale weather or a 503. A client that does not read its answer for so long is cut off',
  }),
  runWorker: variable('RUN_WORKER', is.flag, {
    default: 'true',
    productionDefault: 'false',
    meaning: '`true`: the API process also runs a fetch worker',
  }),
  readinessRequiresRedis: variable('READINESS_REQUIRES_REDIS', is.flag, {
    default: 'true',
    meaning: '`false`: a replica stays ready while Redis is unavailable or refuses it a command',
  }),
  shutdown: {
    delayMs: variable('SHUTDOWN_DELAY_MS', is.millisecondsOrNone, {
      default: '0',
      productionDefault: '5000',
      meaning: 'after SIGTERM: time in which the process still serves, but is not ready any more',
    }),
    timeoutMs: variable('SHUTDOWN_TIMEOUT_MS', is.milliseconds, {
      default: '25000',
      meaning: 'after that: time that requests in flight have until their connections are cut',
    }),
  },
  metricsPort: variable('METRICS_PORT', is.port, {
    example: '9464',
    meaning:
      'port for Prometheus metrics (`/metrics`) and liveness (`/healthz`); not set: neither exists',
  }),
  metricsHost: variable('METRICS_HOST', is.host, {
    defaultInWords: 'as `HOST`',
    example: '127.0.0.1',
    meaning: 'address on which `METRICS_PORT` listens',
  }),
};

/** The names of all variables that the service reads. */
export const VARIABLE_NAMES = variablesOf(VARIABLES).map(({ name }) => name);

import Joi from 'joi';
import { TTLS, type TtlName } from '../weather/kinds.js';
import { UPSTREAM } from './provider-variables.js';
import * as is from './rules.js';
import { REDIS } from './redis-variables.js';
import { variable, variablesOf, type Variable } from './variable.js';

/** The variables with the TTLs of the kinds. */
const TTL_VARIABLES = Object.fromEntries(
  Object.entries(TTLS).map(([name, { variable: variableName, defaultSeconds, meaning }]) => [
    name,
    variable(variableName, is.seconds, { default: String(defaultSeconds), meaning }),
  ]),
) as Record<TtlName, Variable<number>>;

/**
 * Every environment variable, and the setting that it becomes: `log.level` here is `config.log.level` in
 * other modules. `npm run docs:config` writes docs/configuration.md and `.env.example` from this table.
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
    meaning: 'port on which the API listens. `0`: any free port',
  }),
  redis: REDIS,
  redisPrefix: variable('REDIS_PREFIX', is.namePrefix, {
    default: 'weather',
    meaning:
      'prefix of every key, channel, and queue, so that several deployments can share a Redis. At most 40 letters, digits, periods, hyphens, and underscores',
  }),
  session: {
    keys: variable('SESSION_SECRET_KEY', is.list(is.text), {
      defaultInWords: 'random per start',
      meaning:
        'key that signs the session cookie; at least 32 characters in production. Of several comma-separated keys, the first signs and all verify',
    }),
    ttlSeconds: variable('SESSION_TTL_SECONDS', is.seconds, {
      default: '86400',
      meaning: 'TTL of a session and its recent searches after the last search',
    }),
    unconfirmedTtlSeconds: variable('SESSION_UNCONFIRMED_TTL_SECONDS', is.seconds, {
      default: '1800',
      meaning:
        'the same until the client sends the cookie back, so that clients without cookies do not fill Redis',
    }),
  },
  corsOrigins: variable(
    'CORS_ORIGINS',
    Joi.alternatives<string[] | '*'>(is.oneOf('*'), is.list(is.origin)),
    {
      defaultInWords: '`*`, in production none',
      example: 'https://app.example.com',
      meaning: 'origins of pages that may call the API from a browser, comma-separated. `*`: all',
    },
  ),
  mcpEnabled: variable('MCP_ENABLED', is.flag, {
    default: 'true',
    productionDefault: 'false',
    meaning: '`true`: assistants are served at `POST /mcp`, by the Model Context Protocol',
  }),
  log: {
    level: variable('LOG_LEVEL', is.oneOf('DEBUG', 'INFO', 'WARNING', 'ERROR').uppercase(), {
      default: 'INFO',
      meaning: 'lowest level that is logged: `DEBUG`, `INFO`, `WARNING`, or `ERROR`',
    }),
    enabled: variable('ENABLE_LOGGING', is.flag, {
      default: 'true',
      meaning:
        '`false`: nothing is logged. Only the reason why a process had to exit is written, to standard error',
    }),
  },
  cache: {
    ttlSeconds: TTL_VARIABLES,
    staleIfErrorSeconds: variable('STALE_IF_ERROR_SECONDS', is.secondsOrOff, {
      default: '3600',
      meaning:
        'time after its TTL in which an entry may be served as stale while every provider fails. `0`: never',
    }),
    refreshAheadSeconds: variable('REFRESH_AHEAD_SECONDS', is.secondsOrOff, {
      default: '20',
      meaning:
        'last part of the TTL of an entry, at most a tenth of it, in which the third request of a process for the entry starts a refresh. `0`: never',
    }),
    negativeTtlSeconds: variable('NEGATIVE_TTL_SECONDS', is.secondsOrOff, {
      default: '60',
      meaning: 'TTL of the result that a place does not exist. `0`: it is not cached',
    }),
  },
  rateLimits: {
    perIp: {
      limit: variable('RATE_LIMIT_PER_IP', is.requests, {
        default: '30',
        meaning:
          'weather requests that one client IP may send per window, at most 1,000,000. Recent searches have the same limit, suggestions ten times this limit, each counted separately. `0`: no limit',
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
          'requests under `/api/` that all clients together may send per window, at most 1,000,000, without health checks and suggestions. `0`: no limit. If it is set, one node of a cluster counts all rate limits',
      }),
      windowSeconds: variable('RATE_LIMIT_TOTAL_WINDOW_SECONDS', is.seconds, {
        default: '3600',
        meaning: 'length of the sliding window of `RATE_LIMIT_TOTAL`',
      }),
    },
    dryRun: variable('RATE_LIMIT_DRY_RUN', is.flag, {
      default: 'false',
      meaning:
        '`true`: no limit rejects a request. Header, log, and metric name the requests that would be rejected',
    }),
    replicasHint: variable('REPLICAS_HINT', is.count(1, 100_000), {
      default: '1',
      meaning:
        "number of replicas. While Redis is unavailable, each replica divides the total rate limit and the providers' budgets by it",
    }),
  },
  trustedProxies: variable('TRUST_PROXY', is.count(0, 32), {
    default: '0',
    meaning: 'exact number of reverse proxies in front of the service',
  }),
  upstream: UPSTREAM,
  requestTimeoutMs: variable('REQUEST_TIMEOUT_MS', is.milliseconds, {
    default: '120000',
    meaning:
      'time limit of a request, after which the client gets stale weather or a 503, and of a client that does not read its response',
  }),
  runWorker: variable('RUN_WORKER', is.flag, {
    default: 'true',
    meaning: '`false`: the API process runs no fetch worker. Then `dist/worker.js` must run',
  }),
  readinessRequiresRedis: variable('READINESS_REQUIRES_REDIS', is.flag, {
    default: 'true',
    meaning: '`false`: a replica stays ready while Redis is unavailable or rejects its commands',
  }),
  shutdown: {
    delayMs: variable('SHUTDOWN_DELAY_MS', is.millisecondsOrNone, {
      default: '0',
      productionDefault: '5000',
      meaning: 'time after SIGTERM in which the process still serves requests, but is not ready',
    }),
    timeoutMs: variable('SHUTDOWN_TIMEOUT_MS', is.milliseconds, {
      default: '25000',
      meaning:
        'time after `SHUTDOWN_DELAY_MS` in which requests in flight may finish. Then their connections are closed',
    }),
  },
  metricsPort: variable('METRICS_PORT', is.port, {
    example: '9464',
    meaning:
      'port for Prometheus metrics (`/metrics`) and liveness (`/healthz`). If it is not set, neither exists',
  }),
  metricsHost: variable('METRICS_HOST', is.host, {
    defaultInWords: 'as `HOST`',
    example: '127.0.0.1',
    meaning: 'address on which `METRICS_PORT` listens',
  }),
};

/** The names of all variables. */
export const VARIABLE_NAMES = variablesOf(VARIABLES).map(({ name }) => name);

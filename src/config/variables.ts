import Joi from 'joi';
import { TTLS, type TtlName } from '../weather/kinds/kinds.js';
import { clientsFile, file } from './file-rules.js';
import { KEYS_IN_FILES, UPSTREAM } from './provider-variables.js';
import { REDIS } from './redis-variables.js';
import * as is from './rules.js';

/** Minimum length of a session key in production, in characters. A shorter key could be guessed. */
const MIN_KEY_LENGTH = 32;
const HOW_TO_CREATE = '(to create one: openssl rand -hex 32)';
const sessionKey = is.text
  .when('$NODE_ENV', { is: 'production', then: Joi.string().min(MIN_KEY_LENGTH) })
  .messages({
    'string.min': `must have at least {#limit} characters in each of its keys in production ${HOW_TO_CREATE}`,
  });

/** Every environment variable, in the order of docs/configuration.md and `.env.example`. */
const VARIABLES = {
  NODE_ENV: is
    .oneOf('development', 'test', 'production')
    .default('development')
    .description('`production` needs `SESSION_SECRET_KEY` and a Redis address, and rejects `demo`'),
  HOST: is.host.default('0.0.0.0').description('address on which the API listens'),
  PORT: is.port.default(8080).description('port on which the API listens. `0`: any free port'),
  ...REDIS,
  SESSION_SECRET_KEY: is
    .optional(is.list(sessionKey))
    .when('NODE_ENV', {
      is: 'production',
      then: Joi.when('$role', { is: 'api', then: Joi.required() }),
    })
    .messages({ 'any.required': `is required in production ${HOW_TO_CREATE}` })
    .note('random per start')
    .description(
      'key that signs the session cookie; at least 32 characters in production. Of several comma-separated keys, the first signs and all verify',
    ),
  SESSION_SECRET_KEY_FILE: is
    .optional(file)
    .description('file with the keys, instead of `SESSION_SECRET_KEY`'),
  SESSION_TTL_SECONDS: is.seconds
    .default(86_400)
    .description('TTL of a session and its recent searches after the last search'),
  CORS_ORIGINS: (is.list(is.origin) as Joi.AnySchema<string[] | '*'>)
    .allow('*')
    .default('*')
    .when('NODE_ENV', { is: 'production', then: Joi.any().default([]) })
    .example('https://app.example.com')
    .description('origins whose pages may call the API, separated by commas. `*`: all'),
  MCP_ENABLED: is.flag
    .default(true)
    .when('NODE_ENV', { is: 'production', then: Joi.any().default(false) })
    .description('`true`: assistants are served at `POST /mcp`, by the Model Context Protocol'),
  LOG_LEVEL: is
    .oneOf('DEBUG', 'INFO', 'WARNING', 'ERROR')
    .uppercase()
    .default('INFO')
    .description('lowest level that is logged: `DEBUG`, `INFO`, `WARNING`, or `ERROR`'),
  ENABLE_LOGGING: is.flag
    .default(true)
    .description('`false`: nothing is logged except, to standard error, why a process had to exit'),
  // The variables with the TTLs of the kinds. Their names are in the table of the kinds.
  ...(Object.fromEntries(
    Object.values(TTLS).map(({ variable, defaultSeconds, meaning }) => [
      variable,
      is.seconds.default(defaultSeconds).description(meaning),
    ]),
  ) as Record<(typeof TTLS)[TtlName]['variable'], Joi.NumberSchema>),
  STALE_IF_ERROR_SECONDS: is.secondsOrOff
    .default(3600)
    .description('time for which an expired entry is served if every provider fails. `0`: never'),
  REFRESH_AHEAD_SECONDS: is.secondsOrOff
    .default(20)
    .description(
      'time before an entry expires, at most a tenth of its TTL, in which the third request of a process for the entry starts a refresh. `0`: never',
    ),
  RATE_LIMIT_PER_IP: is.requests
    .default(30)
    .description(
      'weather requests and tool calls of one client IP per window, at most 1,000,000. Recent searches have the same limit, suggestions ten times this limit, each counted separately. `0`: no limit',
    ),
  RATE_LIMIT_PER_IP_WINDOW_SECONDS: is.seconds
    .default(60)
    .description('length of the sliding window of `RATE_LIMIT_PER_IP`'),
  RATE_LIMIT_TOTAL: is.requests
    .default(200)
    .description(
      'requests for weather and recent searches, and tool calls, of all clients together per window, at most 1,000,000. `0`: no limit. If it is not `0`, one node of a Redis Cluster counts all rate limits',
    ),
  RATE_LIMIT_TOTAL_WINDOW_SECONDS: is.seconds
    .default(3600)
    .description('length of the sliding window of `RATE_LIMIT_TOTAL`'),
  RATE_LIMIT_FETCHES_PER_IP: is.requests
    .default(0)
    .description(
      'fetches that the requests of one client IP, or of one named client, start per window, at most 1,000,000. Cache hits, requests that join a fetch, and stale entries do not count. `0`: no limit',
    ),
  RATE_LIMIT_FETCHES_PER_IP_WINDOW_SECONDS: is.seconds
    .default(3600)
    .description('length of the sliding window of `RATE_LIMIT_FETCHES_PER_IP`'),
  CLIENTS_FILE: is
    .optional(clientsFile)
    .description(
      'file of named clients, which is read again when it changes. Each line has a name, the SHA-256 of the key, and optionally a limit such as `600/60` (requests/seconds) and a limit on fetches such as `900/3600`',
    ),
  RATE_LIMIT_DRY_RUN: is.flag
    .default(false)
    .description('`true`: no limit rejects; header, log, and metric show what would be rejected'),
  REPLICAS_HINT: is
    .count(1, 100_000)
    .default(1)
    .description(
      "number of replicas. While Redis is unavailable, each replica divides the total rate limit and the providers' budgets by it",
    ),
  TRUST_PROXY: is
    .count(0, 32)
    .default(0)
    .description('exact number of reverse proxies in front of the service'),
  ...UPSTREAM,
  REQUEST_TIMEOUT_MS: is.milliseconds
    .default(120_000)
    .description(
      'time limit of a request, after which the client gets stale weather or a 503, and of a client that does not read its response',
    ),
  RUN_WORKER: is.flag
    .default(true)
    .description('`true`: the API process also runs fetch jobs. `false`: a worker must run'),
  READINESS_REQUIRES_REDIS: is.flag
    .default(true)
    .description('`false`: a replica stays ready while Redis is unavailable or rejects commands'),
  SHUTDOWN_DELAY_MS: is.milliseconds
    .min(0)
    .default(0)
    .when('NODE_ENV', { is: 'production', then: Joi.any().default(5000) })
    .description('time after SIGTERM in which the process still serves requests, but is not ready'),
  SHUTDOWN_TIMEOUT_MS: is.milliseconds
    .default(25_000)
    .description('time after `SHUTDOWN_DELAY_MS` until connections with requests are closed'),
  METRICS_PORT: is
    .optional(is.port)
    .when('PORT', { not: 0, then: Joi.invalid(Joi.ref('PORT')) })
    .messages({ 'any.invalid': 'must differ from PORT: metrics must not be public' })
    .example('9464')
    .description(
      'port for Prometheus metrics (`/metrics`) and liveness (`/healthz`), if it is set',
    ),
};

export const VARIABLE_NAMES = Object.keys(VARIABLES);

/** The secrets that can be in a file, which the variable with `_FILE` names. It is read once. */
export const SECRETS_IN_FILES = ['SESSION_SECRET_KEY', ...KEYS_IN_FILES];

/** The values of all variables, except those of providers, whose names follow from their table. */
export type VariableValues = {
  [Name in keyof typeof VARIABLES]: (typeof VARIABLES)[Name] extends Joi.Schema<infer T>
    ? T
    : never;
};

const redisRequired = (reason: string) =>
  Joi.object()
    .or('REDIS_URL', 'REDIS_CLUSTER_NODES', 'REDIS_SENTINELS')
    .messages({
      'object.missing': `REDIS_URL (or REDIS_CLUSTER_NODES, or REDIS_SENTINELS) is required ${reason}`,
    });

/** The environment of a process. The context has its `role`: `api` or `worker`. */
export const ENVIRONMENT = SECRETS_IN_FILES.reduce(
  (schema, name) => schema.oxor(name, `${name}_FILE`),
  Joi.object<VariableValues>(VARIABLES),
)
  .and('REDIS_SENTINELS', 'REDIS_SENTINEL_MASTER')
  .and('REDIS_TLS_CERT', 'REDIS_TLS_KEY')
  .oxor('REDIS_CLUSTER_NODES', 'REDIS_SENTINELS')
  .oxor('REDIS_PASSWORD', 'REDIS_PASSWORD_FILE')
  .with('REDIS_PASSWORD', 'REDIS_URL')
  .with('REDIS_PASSWORD_FILE', 'REDIS_URL')
  .with('REDIS_SENTINEL_PASSWORD', 'REDIS_SENTINELS')
  .when('.NODE_ENV', {
    is: is.text.valid('production').required(),
    then: redisRequired('in production'),
  })
  .when('$role', { is: 'worker', then: redisRequired('by a worker') });

import {
  readEnvironment,
  type Address,
  type Environment,
  type LogLevel,
  type ProviderName,
} from './variables.js';

/**
 * The only reader of the environment. Everything else gets values.
 * Every variable is described in the README's configuration table and in `.env.example`.
 */

export type { ProviderName } from './variables.js';

/** Where Redis is. `undefined` in the configuration: no Redis, one process, in memory. */
export type RedisAddress =
  | { kind: 'single'; url: string }
  | { kind: 'cluster'; nodes: Address[]; url?: string }
  | { kind: 'sentinel'; sentinels: Address[]; master: string; url?: string };

/** At most so many requests in any window of this length; a limit of 0 is off. */
export interface RateLimit {
  limit: number;
  windowSeconds: number;
}

export interface Config {
  production: boolean;
  host: string;
  port: number;
  metricsPort: number | undefined;
  redis: RedisAddress | undefined;
  session: {
    /** The first signs, all verify. `undefined`: one is made at start. */
    keys: string[] | undefined;
    ttlSeconds: number;
  };
  /** `'*'` reflects every origin. */
  corsOrigins: string[] | '*';
  log: { enabled: boolean; level: LogLevel };
  cache: {
    ttlSeconds: number;
    staleIfErrorSeconds: number;
    refreshAheadSeconds: number;
    negativeTtlSeconds: number;
  };
  rateLimits: {
    perIp: RateLimit;
    total: RateLimit;
    replicasHint: number;
  };
  trustedProxies: number;
  upstream: {
    providers: ProviderName[];
    openMeteoUrl: string;
    openMeteoGeocodingUrl: string;
    openMeteoApiKey: string | undefined;
    metNorwayUrl: string;
    openWeatherMapUrl: string;
    openWeatherMapApiKey: string | undefined;
    userAgent: string;
    timeoutMs: number;
    concurrency: number;
  };
  requestTimeoutMs: number;
  runWorker: boolean;
  readinessRequiresRedis: boolean;
  shutdown: { delayMs: number; timeoutMs: number };
}

/** What is wrong with the environment: all of it, one line a fault, no secret among them. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly faults: string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}

/** The process that reads the configuration: a worker signs no cookies and needs no key for it. */
export type Role = 'api' | 'worker';

/**
 * Reads and checks the environment.
 * @throws ConfigError naming every fault at once
 */
export function loadConfig(source: NodeJS.ProcessEnv, role: Role = 'api'): Config {
  const { env, faults } = readEnvironment(source);
  faults.push(...contradictions(env, role, new Set(faults.map((fault) => fault.split(' ')[0]))));
  if (faults.length > 0) throw new ConfigError(faults);
  const production = env.NODE_ENV === 'production';
  return {
    production,
    host: env.HOST,
    port: env.PORT,
    metricsPort: env.METRICS_PORT,
    redis: redisAddress(env),
    session: { keys: env.SESSION_SECRET_KEY, ttlSeconds: env.SESSION_TTL_SECONDS },
    corsOrigins: env.CORS_ORIGINS ?? (production ? [] : '*'),
    log: { enabled: env.ENABLE_LOGGING, level: env.LOG_LEVEL },
    cache: {
      ttlSeconds: env.CACHE_TTL_SECONDS,
      staleIfErrorSeconds: env.STALE_IF_ERROR_SECONDS,
      refreshAheadSeconds: Math.min(env.REFRESH_AHEAD_SECONDS, env.CACHE_TTL_SECONDS / 10),
      negativeTtlSeconds: env.NEGATIVE_TTL_SECONDS,
    },
    rateLimits: {
      perIp: { limit: env.RATE_LIMIT_PER_IP, windowSeconds: env.RATE_LIMIT_PER_IP_WINDOW_SECONDS },
      total: { limit: env.RATE_LIMIT_TOTAL, windowSeconds: env.RATE_LIMIT_TOTAL_WINDOW_SECONDS },
      replicasHint: env.REPLICAS_HINT,
    },
    trustedProxies: env.TRUST_PROXY,
    upstream: {
      providers: providers(env),
      // A key belongs to the customers' host: the public one would redirect, and we follow none.
      openMeteoUrl:
        env.OPEN_METEO_URL ??
        (env.OPEN_METEO_API_KEY
          ? 'https://customer-api.open-meteo.com'
          : 'https://api.open-meteo.com'),
      openMeteoGeocodingUrl: env.OPEN_METEO_GEOCODING_URL,
      openMeteoApiKey: env.OPEN_METEO_API_KEY,
      metNorwayUrl: env.MET_NORWAY_URL,
      openWeatherMapUrl: env.OPENWEATHERMAP_URL,
      openWeatherMapApiKey: env.OPENWEATHERMAP_API_KEY,
      userAgent: env.UPSTREAM_USER_AGENT,
      timeoutMs: env.UPSTREAM_TIMEOUT_MS,
      concurrency: env.UPSTREAM_CONCURRENCY,
    },
    requestTimeoutMs: env.REQUEST_TIMEOUT_MS,
    runWorker: env.RUN_WORKER ?? !production,
    readinessRequiresRedis: env.READINESS_REQUIRES_REDIS,
    shutdown: {
      delayMs: env.SHUTDOWN_DELAY_MS ?? (production ? 5000 : 0),
      timeoutMs: env.SHUTDOWN_TIMEOUT_MS,
    },
  };
}

/** What is wrong between variables that are right by themselves. */
function contradictions(env: Environment, role: Role, faulty: Set<string | undefined>): string[] {
  const production = env.NODE_ENV === 'production';
  const given = (name: keyof Environment) => env[name] !== undefined || faulty.has(name);
  const anyRedis = given('REDIS_URL') || given('REDIS_CLUSTER_NODES') || given('REDIS_SENTINELS');
  const rules: [boolean, string][] = [
    [
      production && role === 'api' && !given('SESSION_SECRET_KEY'),
      'SESSION_SECRET_KEY is required in production (make one: openssl rand -hex 32)',
    ],
    [
      (production || role === 'worker') && !anyRedis,
      `REDIS_URL (or REDIS_CLUSTER_NODES, or REDIS_SENTINELS) is required ${role === 'worker' ? 'by a worker' : 'in production'}`,
    ],
    [
      env.REDIS_CLUSTER_NODES !== undefined && env.REDIS_SENTINELS !== undefined,
      'REDIS_CLUSTER_NODES and REDIS_SENTINELS exclude one another',
    ],
    [
      given('REDIS_SENTINELS') !== given('REDIS_SENTINEL_MASTER'),
      'REDIS_SENTINELS and REDIS_SENTINEL_MASTER go together',
    ],
    [
      production && providers(env).includes('demo'),
      'WEATHER_PROVIDERS must not name demo in production: its weather is invented',
    ],
    [
      providers(env).includes('openweathermap') && !given('OPENWEATHERMAP_API_KEY'),
      'OPENWEATHERMAP_API_KEY is required when WEATHER_PROVIDERS names openweathermap',
    ],
    [
      env.METRICS_PORT !== undefined && env.METRICS_PORT !== 0 && env.METRICS_PORT === env.PORT,
      'METRICS_PORT must differ from PORT: metrics are never public',
    ],
  ];
  return rules.filter(([broken]) => broken).map(([, fault]) => fault);
}

function providers(env: Environment): ProviderName[] {
  const chain: ProviderName[] = ['open-meteo', 'met-norway'];
  return env.WEATHER_PROVIDERS ?? (env.NODE_ENV === 'production' ? chain : [...chain, 'demo']);
}

/** Beside a cluster or sentinels, REDIS_URL gives the user, the password and whether to use TLS. */
function redisAddress(env: Environment): RedisAddress | undefined {
  const { REDIS_URL: url, REDIS_CLUSTER_NODES: nodes, REDIS_SENTINELS: sentinels } = env;
  const credentials = url === undefined ? {} : { url };
  if (nodes) return { kind: 'cluster', nodes, ...credentials };
  if (sentinels && env.REDIS_SENTINEL_MASTER) {
    return { kind: 'sentinel', sentinels, master: env.REDIS_SENTINEL_MASTER, ...credentials };
  }
  return url === undefined ? undefined : { kind: 'single', url };
}

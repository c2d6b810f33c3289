import Joi from 'joi';
import { SERVICE_NAME, SERVICE_REPOSITORY, SERVICE_VERSION } from '../process/version.js';

/** Every environment variable by itself: its name, its type, its default, what is valid. */

export type LogLevel = 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR';
export type ProviderName = 'open-meteo' | 'met-norway' | 'openweathermap' | 'demo';

export interface Address {
  host: string;
  port: number;
}

const PROVIDERS: ProviderName[] = ['open-meteo', 'met-norway', 'openweathermap', 'demo'];
const MAX_SECONDS = 31_536_000;

const list = (item: Joi.Schema) =>
  Joi.string().custom((value: string) => {
    const items = value.split(',').map((part) => part.trim());
    return Joi.attempt(items, Joi.array().items(item).unique(), {
      errors: { label: false },
    }) as unknown;
  });

const address = Joi.string().custom((value: string): Address => {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/i.exec(value);
  const port = Number(match?.[3]);
  if (!match || port < 1 || port > 65535) throw new Error('must be host:port');
  return { host: match[1] ?? match[2] ?? '', port };
});

const origin = Joi.string().custom((value: string): string => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  // A pattern in the place of a host parses as one, and would never match.
  const isPattern = url?.hostname.includes('*');
  if (!url || isPattern || url.origin === 'null' || url.href !== `${url.origin}/`) {
    throw new Error('must be an origin such as https://app.example.com, without a path');
  }
  return url.origin;
});

const baseUrl = Joi.string().custom((value: string): string => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new Error('must be an http or https address without a path');
  }
  return url.origin;
});

const port = Joi.number().integer().min(0).max(65535);
const seconds = Joi.number().integer().min(1).max(MAX_SECONDS);
const secondsOrOff = Joi.number().integer().min(0).max(MAX_SECONDS);
// Node's timers hold 31 bits of milliseconds.
const milliseconds = Joi.number().integer().min(1).max(2_147_483_647);
const millisecondsOrNone = Joi.number().integer().min(0).max(2_147_483_647);
const limit = Joi.number().integer().min(0).max(1_000_000_000);
const flag = Joi.boolean();

/** The variables after validation; what has no default may be missing. */
export interface Environment {
  NODE_ENV: 'development' | 'test' | 'production';
  HOST: string;
  PORT: number;
  REDIS_URL?: string;
  REDIS_CLUSTER_NODES?: Address[];
  REDIS_SENTINELS?: Address[];
  REDIS_SENTINEL_MASTER?: string;
  SESSION_SECRET_KEY?: string[];
  SESSION_TTL_SECONDS: number;
  CORS_ORIGINS?: string[] | '*';
  LOG_LEVEL: LogLevel;
  ENABLE_LOGGING: boolean;
  CACHE_TTL_SECONDS: number;
  STALE_IF_ERROR_SECONDS: number;
  REFRESH_AHEAD_SECONDS: number;
  NEGATIVE_TTL_SECONDS: number;
  RATE_LIMIT_PER_IP: number;
  RATE_LIMIT_PER_IP_WINDOW_SECONDS: number;
  RATE_LIMIT_TOTAL: number;
  RATE_LIMIT_TOTAL_WINDOW_SECONDS: number;
  TRUST_PROXY: number;
  WEATHER_PROVIDERS?: ProviderName[];
  OPEN_METEO_URL?: string;
  OPEN_METEO_GEOCODING_URL?: string;
  OPEN_METEO_API_KEY?: string;
  MET_NORWAY_URL: string;
  OPENWEATHERMAP_URL: string;
  OPENWEATHERMAP_API_KEY?: string;
  UPSTREAM_USER_AGENT: string;
  UPSTREAM_TIMEOUT_MS: number;
  REQUEST_TIMEOUT_MS: number;
  UPSTREAM_CONCURRENCY: number;
  RUN_WORKER?: boolean;
  REPLICAS_HINT: number;
  READINESS_REQUIRES_REDIS: boolean;
  SHUTDOWN_DELAY_MS?: number;
  SHUTDOWN_TIMEOUT_MS: number;
  METRICS_PORT?: number;
}

/** Every variable, in the order of `.env.example`. */
const VARIABLES = {
  NODE_ENV: Joi.string().valid('development', 'test', 'production').default('development'),
  HOST: Joi.string().hostname().default('0.0.0.0'),
  PORT: port.default(8080),
  REDIS_URL: Joi.string().uri({ scheme: ['redis', 'rediss'] }),
  REDIS_CLUSTER_NODES: list(address),
  REDIS_SENTINELS: list(address),
  REDIS_SENTINEL_MASTER: Joi.string(),
  SESSION_SECRET_KEY: list(Joi.string()),
  SESSION_TTL_SECONDS: seconds.default(86_400),
  CORS_ORIGINS: Joi.alternatives(Joi.string().valid('*'), list(origin)),
  LOG_LEVEL: Joi.string().uppercase().valid('DEBUG', 'INFO', 'WARNING', 'ERROR').default('INFO'),
  ENABLE_LOGGING: flag.default(true),
  CACHE_TTL_SECONDS: seconds.default(300),
  STALE_IF_ERROR_SECONDS: secondsOrOff.default(3600),
  REFRESH_AHEAD_SECONDS: secondsOrOff.default(20),
  NEGATIVE_TTL_SECONDS: secondsOrOff.default(60),
  RATE_LIMIT_PER_IP: limit.default(30),
  RATE_LIMIT_PER_IP_WINDOW_SECONDS: seconds.default(60),
  RATE_LIMIT_TOTAL: limit.default(200),
  RATE_LIMIT_TOTAL_WINDOW_SECONDS: seconds.default(3600),
  TRUST_PROXY: Joi.number().integer().min(0).max(32).default(0),
  WEATHER_PROVIDERS: list(Joi.string().valid(...PROVIDERS)),
  OPEN_METEO_URL: baseUrl,
  OPEN_METEO_GEOCODING_URL: baseUrl,
  OPEN_METEO_API_KEY: Joi.string(),
  MET_NORWAY_URL: baseUrl.default('https://api.met.no'),
  OPENWEATHERMAP_URL: baseUrl.default('https://api.openweathermap.org'),
  OPENWEATHERMAP_API_KEY: Joi.string(),
  UPSTREAM_USER_AGENT: Joi.string()
    .pattern(/^[\x20-\x7e]+$/, 'printable ASCII')
    .default(`${SERVICE_NAME}/${SERVICE_VERSION} ${SERVICE_REPOSITORY}`),
  UPSTREAM_TIMEOUT_MS: milliseconds.default(10_000),
  REQUEST_TIMEOUT_MS: milliseconds.default(120_000),
  UPSTREAM_CONCURRENCY: Joi.number().integer().min(1).max(1000).default(4),
  RUN_WORKER: flag,
  REPLICAS_HINT: Joi.number().integer().min(1).max(100_000).default(1),
  READINESS_REQUIRES_REDIS: flag.default(true),
  SHUTDOWN_DELAY_MS: millisecondsOrNone,
  SHUTDOWN_TIMEOUT_MS: milliseconds.default(25_000),
  METRICS_PORT: port,
} satisfies Record<keyof Environment, Joi.Schema>;

/** The names of all variables that the service reads. */
export const VARIABLE_NAMES = Object.keys(VARIABLES);

/** Each variable by itself: what is valid, and one fault a variable that is not. */
export function readEnvironment(source: NodeJS.ProcessEnv): { env: Environment; faults: string[] } {
  const faults: string[] = [];
  const values = Object.entries(VARIABLES).map(([name, schema]) => {
    // A variable that is set to nothing, as compose files do, is not set.
    const text = source[name]?.trim();
    const result: Joi.ValidationResult<unknown> = schema.validate(text === '' ? undefined : text, {
      errors: { label: false },
    });
    if (result.error) faults.push(`${name} ${reason(result.error)}`);
    return [name, result.error ? undefined : result.value] as const;
  });
  return { env: Object.fromEntries(values) as unknown as Environment, faults };
}

/** Our own rules say in their error what is wrong; Joi wraps it in a sentence that repeats the value. */
function reason(error: Joi.ValidationError): string {
  const own = error.details[0]?.context?.['error'] as Error | undefined;
  return own instanceof Joi.ValidationError ? reason(own) : (own?.message ?? error.message);
}

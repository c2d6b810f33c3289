import { DEFAULT_USER_AGENT } from './provider-variables.js';
import {
  GEOCODER_NAME,
  isPublicHost,
  keyVariable,
  REMOTE_PROVIDER_NAMES,
  UPSTREAMS,
  urlVariable,
  type RemoteProviderName,
  type UpstreamName,
} from './providers.js';
import { contentOf } from './file-rules.js';
import { PREFERENCES, type Address } from './rules.js';
import { ENVIRONMENT, SECRETS_IN_FILES, VARIABLE_NAMES, type VariableValues } from './variables.js';

/** Seconds until the client must return its cookie. Longer: clients without cookies fill Redis. */
const UNCONFIRMED_TTL_SECONDS = 1800;
/** Longer: clients wait longer for a 503. Shorter: a burst of cold keys is rejected. */
const MAX_QUEUED_MS = 20_000;

/** A worker signs no cookies, and cannot run without Redis. */
export type Role = 'api' | 'worker';

/** The values of the variables, by their names, and what follows from several of them. */
export type Config = VariableValues & ReturnType<typeof derivedFrom>;

/** Options of Node.js for connections with TLS. */
type TlsOptions = Partial<Record<'ca' | 'cert' | 'key', string | undefined>>;

/** The address of Redis. If there is none, one process runs in memory. */
export type RedisAddress = {
  tls?: TlsOptions;
  passwordFile?: string | undefined;
  url?: string | undefined;
} & (
  | { kind: 'single'; url: string }
  | { kind: 'cluster'; nodes: Address[] }
  | { kind: 'sentinel'; sentinels: Address[]; master: string; password?: string | undefined }
);

/** Every fault of the environment, one line each. The lines contain no secrets. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** @param isLogging whether `ENABLE_LOGGING` allows a log record about the error */
  constructor(
    readonly faults: string[],
    readonly isLogging = true,
  ) {
    super(`The configuration is not valid: ${faults.join('; ')}`);
  }
}

/** Reads the configuration of this process from its environment. @throws ConfigError */
export const configOfProcess = (role: Role): Config => loadConfig(process.env, role);

/** Reads and validates variables. @throws ConfigError with every fault */
export function loadConfig(source: NodeJS.ProcessEnv, role: Role = 'api'): Config {
  const result = ENVIRONMENT.validate(withSecretFiles(source), {
    ...PREFERENCES,
    context: { role },
  });
  if (!result.error) return { ...result.value, ...derivedFrom(result.value, source) };
  const { details } = result.error;
  /** A secret is missing because its file is: that is one fault. */
  const isOfFile = (name?: string | number) =>
    details.some(({ path }) => path[0] === `${name}_FILE`);
  const faults = details
    .filter(({ path: [name] }) => !isOfFile(name))
    .map(({ path: [name], message }) => (name === undefined ? message : `${name} ${message}`));
  const { ENABLE_LOGGING } = result.value as Partial<VariableValues>;
  throw new ConfigError([...new Set(faults)], ENABLE_LOGGING !== false);
}

/** Returns the environment with the secrets that it names as files. */
function withSecretFiles(source: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const complete = { ...source };
  for (const name of SECRETS_IN_FILES) {
    if ((source[name] ?? '').trim() !== '') continue;
    complete[name] = undefined;
    const content = contentOf((source[`${name}_FILE`] ?? '').trim()).trim();
    if (content === '') continue;
    complete[name] = content;
    complete[`${name}_FILE`] = undefined;
  }
  return complete;
}

/** Returns the unknown names that begin as those of the service do, such as `RATE_LIMIT_TOTL`. */
function unknownNames(source: NodeJS.ProcessEnv): string[] {
  const beginnings = new Set(VARIABLE_NAMES.map((name) => name.split('_', 1)[0]));
  // Node.js and its images have their own variables, such as NODE_OPTIONS.
  beginnings.delete('NODE');
  return Object.keys(source).filter((name) => {
    const [beginning, ...others] = name.split('_');
    const isOurs = others.length > 0 && beginnings.has(beginning ?? '');
    return isOurs && !VARIABLE_NAMES.includes(name) && source[name]?.trim() !== '';
  });
}

function derivedFrom(values: VariableValues, source: NodeJS.ProcessEnv) {
  const production = values.NODE_ENV === 'production';
  const texts = values as Partial<Record<string, unknown>>;
  const urls = Object.fromEntries(
    UPSTREAMS.map(([name]) => [name, texts[urlVariable(name)]]),
  ) as Record<UpstreamName, string>;
  const apiKeys = Object.fromEntries(
    REMOTE_PROVIDER_NAMES.map((name) => [name, texts[keyVariable(name)]]),
  ) as Record<RemoteProviderName, string | undefined>;
  const chain = values.WEATHER_PROVIDERS;
  /** If true, MET Norway is not called: `UPSTREAM_USER_AGENT` has no contact, which it requires. */
  const lacksContact =
    production &&
    chain.includes('met-norway') &&
    values.UPSTREAM_USER_AGENT === DEFAULT_USER_AGENT &&
    isPublicHost(urls['met-norway']);
  return {
    production,
    redis: redisAddress(values),
    urls,
    apiKeys,
    providers: chain.filter((name) => !(lacksContact && name === 'met-norway')),
    lacksContact,
    /** Whether the operator lets Open-Meteo's geocoder look up names outside the gazetteer. */
    usesGeocoder:
      chain.includes('open-meteo') || (source[urlVariable(GEOCODER_NAME)] ?? '').trim() !== '',
    unknownNames: unknownNames(source),
    /** Whether the total limit is the default, which is for a trial. */
    hasDefaultTotalLimit: (source['RATE_LIMIT_TOTAL'] ?? '').trim() === '',
    sessionTtls: {
      ttlSeconds: values.SESSION_TTL_SECONDS,
      unconfirmedTtlSeconds: UNCONFIRMED_TTL_SECONDS,
    },
    /** Milliseconds that a request waits until its fetch starts, and until the fetch ends. */
    waits: {
      queuedMs: Math.min(MAX_QUEUED_MS, values.REQUEST_TIMEOUT_MS),
      wholeMs: Math.min(
        MAX_QUEUED_MS + chain.length * values.UPSTREAM_TIMEOUT_MS,
        values.REQUEST_TIMEOUT_MS,
      ),
    },
    shutdown: { delayMs: values.SHUTDOWN_DELAY_MS, timeoutMs: values.SHUTDOWN_TIMEOUT_MS },
  };
}

/** Returns the address. With a cluster or sentinels, `REDIS_URL` has no host that is used. */
function redisAddress(values: VariableValues): RedisAddress | undefined {
  const { REDIS_CLUSTER_NODES: nodes, REDIS_SENTINELS: sentinels } = values;
  const url = values.REDIS_URL && withPassword(values.REDIS_URL, values.REDIS_PASSWORD);
  const { REDIS_TLS_CA: ca, REDIS_TLS_CERT: cert, REDIS_TLS_KEY: key } = values;
  const common = {
    url,
    passwordFile: values.REDIS_PASSWORD_FILE,
    tls: tlsOptions({ ca, cert, key }),
  };
  if (nodes) return { kind: 'cluster', nodes, ...common };
  if (sentinels) {
    const master = values.REDIS_SENTINEL_MASTER ?? '';
    const password = values.REDIS_SENTINEL_PASSWORD;
    return { kind: 'sentinel', sentinels, master, password, ...common };
  }
  return url === undefined ? undefined : { kind: 'single', ...common, url };
}

/**
 * Returns options whose values are the contents of the files. The library copies them when it
 * connects, so each connection reads the files again. While a file cannot be read, its last content
 * is used.
 */
function tlsOptions(files: TlsOptions): TlsOptions {
  const options: TlsOptions = {};
  for (const [name, file] of Object.entries(files)) {
    if (file === undefined) continue;
    let content: string | undefined;
    Object.defineProperty(options, name, {
      enumerable: true,
      get: () => (content = contentOf(file) || content),
    });
  }
  return options;
}

function withPassword(url: string, password: string | undefined): string {
  if (password === undefined) return url;
  const complete = new URL(url);
  complete.password = encodeURIComponent(password);
  return complete.href;
}

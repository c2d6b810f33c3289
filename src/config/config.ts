import { ignoredVariables, type IgnoredVariable } from './ignored-variables.js';
import { isPublicHost, keyVariable, PROVIDERS, UPSTREAMS, type UpstreamName } from './providers.js';
import type { Address } from './rules.js';
import { readTable, type SettingsOf, type UncheckedSettings } from './variable.js';
import { DEFAULT_USER_AGENT, VARIABLE_NAMES, VARIABLES } from './variables.js';

/** Reads the environment. No other module does: they receive values. */

/** The address of Redis. If it is `undefined` in the configuration, one process runs in memory, without Redis. */
export type RedisAddress = { tls?: Partial<Settings['redis']['tls']> } & (
  | { kind: 'single'; url: string }
  | { kind: 'cluster'; nodes: Address[]; url?: string }
  | { kind: 'sentinel'; sentinels: Address[]; master: string; password?: string; url?: string }
);

type Settings = SettingsOf<typeof VARIABLES>;

/** The settings of `variables.ts`, and the settings that are derived from several variables. */
export interface Config extends Omit<Settings, 'mode' | 'redis'> {
  production: boolean;
  redis: RedisAddress | undefined;
  metricsHost: string;
  /** `'*'` reflects every origin. */
  corsOrigins: string[] | '*';
  upstream: Settings['upstream'] & {
    urls: Record<UpstreamName, string>;
    /** If true, MET Norway is not called: it requires a contact in `UPSTREAM_USER_AGENT`, and none is set. */
    lacksContact: boolean;
  };
}

/** Every fault of the environment, one line each. The lines contain no secrets. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** @param isLogging whether `ENABLE_LOGGING` allows a log record about the error */
  constructor(
    readonly faults: string[],
    readonly isLogging = true,
  ) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}

/** The process that reads the configuration. A worker signs no cookies, so it needs no session key. */
export type Role = 'api' | 'worker';

/** Minimum length of a session key in production, in characters. A shorter key could be guessed. */
const MIN_KEY_LENGTH = 32;

/** Reads the configuration of this process from its environment. @throws ConfigError */
export function configOfProcess(role: Role): Config {
  return loadConfig(process.env, role);
}

/** Finds variables of this process that are probably meant for the service, and that it ignores. */
export function ignoredByProcess(): IgnoredVariable[] {
  return ignoredVariables(process.env, VARIABLE_NAMES);
}

/**
 * Reads and validates variables.
 * @throws ConfigError with every fault, and the variables that are ignored: one of them may be the missing one
 */
export function loadConfig(source: NodeJS.ProcessEnv, role: Role = 'api'): Config {
  const isProduction = source['NODE_ENV']?.trim() === 'production';
  const { settings, faults } = readTable(VARIABLES, source, isProduction);
  const all = [
    ...[...faults].map(([name, reason]) => `${name} ${reason}`),
    ...contradictions(settings, role, (name) => faults.has(name)),
  ];
  if (all.length > 0) {
    const ignored = ignoredVariables(source, VARIABLE_NAMES).map(
      ({ name, similar }) => `${name} is ignored (similar: ${similar})`,
    );
    throw new ConfigError([...all, ...ignored], settings.log.enabled);
  }
  return complete(settings as Settings);
}

/** Adds the settings that are derived from several variables. */
function complete({ mode, redis, ...settings }: Settings): Config {
  const production = mode === 'production';
  const { cache, upstream } = settings;
  const lacksContact = production && needsContact(upstream);
  return {
    ...settings,
    production,
    redis: redisAddress(redis),
    metricsHost: settings.metricsHost ?? settings.host,
    corsOrigins: settings.corsOrigins ?? (production ? [] : '*'),
    cache: {
      ...cache,
      refreshAheadSeconds: Math.min(
        cache.refreshAheadSeconds,
        ...Object.values(cache.ttlSeconds).map((seconds) => seconds / 10),
      ),
    },
    upstream: {
      ...upstream,
      lacksContact,
      providers: upstream.providers.filter((name) => !(lacksContact && name === 'met-norway')),
      urls: urlsOf(upstream),
    },
  };
}

/** Returns the base URL of each service: the configured URL, else the host for API keys, else the public host. */
function urlsOf({ urls, apiKeys }: Settings['upstream']): Record<UpstreamName, string> {
  return Object.fromEntries(
    UPSTREAMS.map(([name, { host, customerHost, account }]) => [
      name,
      urls[name] ?? (apiKeys[account] === undefined ? host : (customerHost ?? host)),
    ]),
  ) as Record<UpstreamName, string>;
}

/** Returns whether the providers include MET Norway's public host, and the User-Agent has no contact. */
function needsContact({
  providers,
  userAgent,
  urls,
}: UncheckedSettings<typeof VARIABLES>['upstream']): boolean {
  const url = urls['met-norway'];
  return (
    providers?.includes('met-norway') === true &&
    userAgent === DEFAULT_USER_AGENT &&
    url !== undefined &&
    isPublicHost(url)
  );
}

/** Combines the variables. With a cluster or sentinels, `REDIS_URL` has only user, password, TLS, and database. */
function redisAddress({
  url: bareUrl,
  password: redisPassword,
  clusterNodes,
  sentinels,
  sentinelMaster,
  sentinelPassword,
  tls,
}: Settings['redis']): RedisAddress | undefined {
  const url = bareUrl === undefined ? undefined : withPassword(bareUrl, redisPassword);
  const credentials = {
    ...(url !== undefined && { url }),
    ...(Object.values(tls).some((file) => file !== undefined) && { tls }),
  };
  if (clusterNodes) return { kind: 'cluster', nodes: clusterNodes, ...credentials };
  if (sentinels && sentinelMaster) {
    const password = sentinelPassword === undefined ? {} : { password: sentinelPassword };
    return { kind: 'sentinel', sentinels, master: sentinelMaster, ...password, ...credentials };
  }
  return url === undefined ? undefined : { kind: 'single', ...credentials, url };
}

/** Adds the password to a URL. The password may contain any character. */
function withPassword(url: string, password: string | undefined): string {
  if (password === undefined) return url;
  const complete = new URL(url);
  complete.password = encodeURIComponent(password);
  return complete.href;
}

/** Returns the faults of combinations of variables that are valid by themselves. */
function contradictions(
  settings: UncheckedSettings<typeof VARIABLES>,
  role: Role,
  isFaulty: (name: string) => boolean,
): string[] {
  const { redis, session, upstream, port, metricsPort } = settings;
  const production = settings.mode === 'production';
  // A variable with an invalid value has a fault of its own. It does not count as missing.
  const isGiven = (name: string, value: unknown) => value !== undefined || isFaulty(name);
  const hasSentinels = isGiven('REDIS_SENTINELS', redis.sentinels);
  const hasRedis =
    isGiven('REDIS_URL', redis.url) ||
    isGiven('REDIS_CLUSTER_NODES', redis.clusterNodes) ||
    hasSentinels;
  const rules: [broken: boolean | undefined, fault: string][] = [
    [
      production && role === 'api' && !isGiven('SESSION_SECRET_KEY', session.keys),
      'SESSION_SECRET_KEY is required in production (to create one: openssl rand -hex 32)',
    ],
    [
      production && session.keys?.some((key) => key.length < MIN_KEY_LENGTH),
      `SESSION_SECRET_KEY must have at least ${MIN_KEY_LENGTH} characters in each of its keys in production (to create one: openssl rand -hex 32)`,
    ],
    [
      (production || role === 'worker') && !hasRedis,
      `REDIS_URL (or REDIS_CLUSTER_NODES, or REDIS_SENTINELS) is required ${role === 'worker' ? 'by a worker' : 'in production'}`,
    ],
    [
      redis.password !== undefined &&
        !isFaulty('REDIS_URL') &&
        (redis.url === undefined || new URL(redis.url).password !== ''),
      'REDIS_PASSWORD needs a REDIS_URL without a password',
    ],
    [
      redis.clusterNodes !== undefined && redis.sentinels !== undefined,
      'REDIS_CLUSTER_NODES and REDIS_SENTINELS must not both be set',
    ],
    [
      hasSentinels !== isGiven('REDIS_SENTINEL_MASTER', redis.sentinelMaster),
      'REDIS_SENTINELS and REDIS_SENTINEL_MASTER must be set together',
    ],
    [
      redis.sentinelPassword !== undefined && !hasSentinels,
      'REDIS_SENTINEL_PASSWORD needs REDIS_SENTINELS',
    ],
    [
      Object.values(redis.tls).some((file) => file !== undefined) &&
        !isFaulty('REDIS_URL') &&
        !redis.url?.startsWith('rediss:'),
      'REDIS_TLS_CA, REDIS_TLS_CERT, and REDIS_TLS_KEY need a REDIS_URL with rediss://',
    ],
    [
      isGiven('REDIS_TLS_CERT', redis.tls.cert) !== isGiven('REDIS_TLS_KEY', redis.tls.key),
      'REDIS_TLS_CERT and REDIS_TLS_KEY must be set together',
    ],
    [
      production && upstream.providers?.includes('demo'),
      'WEATHER_PROVIDERS must not contain demo in production: its weather is invented',
    ],
    ...PROVIDERS.map(([name, { apiKey }]): [boolean, string] => [
      apiKey === 'required' &&
        upstream.providers?.includes(name) === true &&
        !isGiven(keyVariable(name), upstream.apiKeys[name]),
      `${keyVariable(name)} is required if WEATHER_PROVIDERS contains ${name}`,
    ]),
    [
      production && upstream.providers?.length === 1 && needsContact(upstream),
      'UPSTREAM_USER_AGENT is required if met-norway is the only provider: its terms require a contact',
    ],
    [
      metricsPort !== undefined && metricsPort !== 0 && metricsPort === port,
      'METRICS_PORT must differ from PORT: metrics must not be public',
    ],
  ];
  return rules.filter(([broken]) => broken).map(([, fault]) => fault);
}

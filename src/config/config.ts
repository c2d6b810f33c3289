import { contradictions, needsContact, type Role } from './contradictions.js';
import { ignoredVariables, type IgnoredVariable } from './ignored-variables.js';
import { GEOCODER_NAME, UPSTREAMS, type UpstreamName } from './providers.js';
import type { Address } from './rules.js';
import { readTable, type SettingsOf } from './variable.js';
import { VARIABLE_NAMES, VARIABLES } from './variables.js';

/** Reads the environment. No other module does: they receive values. */

/** The address of Redis. If it is `undefined` in the configuration, one process runs in memory, without Redis. */
export type RedisAddress = {
  tls?: Partial<Settings['redis']['tls']>;
  /** A file with the password, which each connection reads again. */
  passwordFile?: string;
} & (
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
    /**
     * Whether names that the gazetteer does not know are sent to the geocoder of Open-Meteo: the operator has chosen
     * Open-Meteo, or a geocoder.
     */
    usesGeocoder: boolean;
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
      usesGeocoder:
        upstream.providers.includes('open-meteo') || upstream.urls[GEOCODER_NAME] !== undefined,
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

/** Combines the variables. With a cluster or sentinels, `REDIS_URL` has only user, password, TLS, and database. */
function redisAddress({
  url: bareUrl,
  password: redisPassword,
  passwordFile,
  clusterNodes,
  sentinels,
  sentinelMaster,
  sentinelPassword,
  tls,
}: Settings['redis']): RedisAddress | undefined {
  const url = bareUrl === undefined ? undefined : withPassword(bareUrl, redisPassword);
  const credentials = {
    ...(url !== undefined && { url }),
    ...(passwordFile !== undefined && { passwordFile }),
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

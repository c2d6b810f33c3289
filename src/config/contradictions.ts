import { DEFAULT_USER_AGENT } from './provider-variables.js';
import { isPublicHost, keyVariable, PROVIDERS } from './providers.js';
import type { UncheckedSettings } from './variable.js';
import type { VARIABLES } from './variables.js';

/** The rules about combinations of variables. */

/** The process that reads the configuration. A worker signs no cookies, so it needs no session key. */
export type Role = 'api' | 'worker';

/** Minimum length of a session key in production, in characters. A shorter key could be guessed. */
const MIN_KEY_LENGTH = 32;

/** Returns the faults of combinations of variables that are valid by themselves. */
export function contradictions(
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
    ...(['REDIS_PASSWORD', 'REDIS_PASSWORD_FILE'] as const).map((name): [boolean, string] => [
      (name === 'REDIS_PASSWORD' ? redis.password : redis.passwordFile) !== undefined &&
        !isFaulty('REDIS_URL') &&
        (redis.url === undefined || new URL(redis.url).password !== ''),
      `${name} needs a REDIS_URL without a password`,
    ]),
    [
      redis.password !== undefined && isGiven('REDIS_PASSWORD_FILE', redis.passwordFile),
      'REDIS_PASSWORD and REDIS_PASSWORD_FILE must not both be set',
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

/** Returns whether the providers include MET Norway's public host, and the User-Agent has no contact. */
export function needsContact({
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

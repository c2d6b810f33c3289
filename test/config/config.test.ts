import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigError, loadConfig, type Role } from '../../src/config/config.js';
import { VARIABLE_NAMES } from '../../src/config/variables.js';
import { SERVICE_NAME, SERVICE_VERSION } from '../../src/process/version.js';

const PRODUCTION = {
  NODE_ENV: 'production',
  SESSION_SECRET_KEY: 'key',
  REDIS_URL: 'redis://redis:6379',
};

function faultsOf(env: Record<string, string>, role?: Role): string[] {
  try {
    loadConfig(env, role);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

const namesIn = (faults: string[]) => faults.map((fault) => fault.split(' ')[0]);

test('without a variable development runs in one process, in memory, with every default', () => {
  const { upstream, ...config } = loadConfig({});
  assert.deepEqual(config, {
    production: false,
    host: '0.0.0.0',
    port: 8080,
    metricsPort: undefined,
    redis: undefined,
    session: { keys: undefined, ttlSeconds: 86_400 },
    corsOrigins: '*',
    log: { enabled: true, level: 'INFO' },
    cache: {
      ttlSeconds: 300,
      staleIfErrorSeconds: 3600,
      refreshAheadSeconds: 20,
      negativeTtlSeconds: 60,
    },
    rateLimits: {
      perIp: { limit: 30, windowSeconds: 60 },
      total: { limit: 200, windowSeconds: 3600 },
      replicasHint: 1,
    },
    trustedProxies: 0,
    requestTimeoutMs: 120_000,
    runWorker: true,
    readinessRequiresRedis: true,
    shutdown: { delayMs: 0, timeoutMs: 25_000 },
  });
  const { userAgent, ...rest } = upstream;
  assert.ok(userAgent.startsWith(`${SERVICE_NAME}/${SERVICE_VERSION} https://`), userAgent);
  assert.deepEqual(rest, {
    providers: ['open-meteo', 'met-norway', 'demo'],
    openMeteoUrl: 'https://api.open-meteo.com',
    openMeteoGeocodingUrl: 'https://geocoding-api.open-meteo.com',
    openMeteoApiKey: undefined,
    metNorwayUrl: 'https://api.met.no',
    openWeatherMapUrl: 'https://api.openweathermap.org',
    openWeatherMapApiKey: undefined,
    timeoutMs: 10_000,
    concurrency: 4,
  });
});

test('production differs in its defaults', () => {
  const { upstream, ...config } = loadConfig(PRODUCTION);
  assert.deepEqual(
    [config.production, config.corsOrigins, config.runWorker, config.shutdown],
    [true, [], false, { delayMs: 5000, timeoutMs: 25_000 }],
  );
  assert.deepEqual(upstream.providers, ['open-meteo', 'met-norway']);
});

test('a variable that is set to nothing, or to blanks, is not set', () => {
  const empty = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, '']));
  const blank = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, '  ']));
  assert.deepEqual(loadConfig(empty), loadConfig({}));
  assert.deepEqual(loadConfig(blank), loadConfig({}));
});

describe('Redis', () => {
  for (const [env, expected] of [
    [{ REDIS_URL: 'rediss://u:p@h:1/2' }, { kind: 'single', url: 'rediss://u:p@h:1/2' }],
    [
      { REDIS_CLUSTER_NODES: 'a:7000, [::1]:7001' },
      {
        kind: 'cluster',
        nodes: [
          { host: 'a', port: 7000 },
          { host: '::1', port: 7001 },
        ],
      },
    ],
    [
      { REDIS_SENTINELS: 's:26379', REDIS_SENTINEL_MASTER: 'mymaster', REDIS_URL: 'redis://:p@x' },
      {
        kind: 'sentinel',
        sentinels: [{ host: 's', port: 26379 }],
        master: 'mymaster',
        url: 'redis://:p@x',
      },
    ],
  ] as const) {
    test(`is found by ${Object.keys(env).join(' and ')}`, () => {
      assert.deepEqual(loadConfig(env).redis, expected);
      assert.deepEqual(faultsOf({ NODE_ENV: 'production', SESSION_SECRET_KEY: 'k', ...env }), []);
    });
  }

  test('is demanded by production and by a worker', () => {
    assert.deepEqual(namesIn(faultsOf({ ...PRODUCTION, REDIS_URL: '' })), ['REDIS_URL']);
    assert.deepEqual(namesIn(faultsOf({}, 'worker')), ['REDIS_URL']);
  });

  test('has no two addresses of different kinds, and no half of one', () => {
    const cluster = { REDIS_CLUSTER_NODES: 'a:1' };
    const sentinels = { REDIS_SENTINELS: 'a:1', REDIS_SENTINEL_MASTER: 'm' };
    assert.equal(faultsOf({ ...cluster, ...sentinels }).length, 1);
    assert.equal(faultsOf({ REDIS_SENTINELS: 'a:1' }).length, 1);
    assert.equal(faultsOf({ REDIS_SENTINEL_MASTER: 'm' }).length, 1);
  });
});

test('a worker needs no session key', () => {
  assert.deepEqual(faultsOf({ ...PRODUCTION, SESSION_SECRET_KEY: '' }, 'worker'), []);
  assert.deepEqual(namesIn(faultsOf({ ...PRODUCTION, SESSION_SECRET_KEY: '' })), [
    'SESSION_SECRET_KEY',
  ]);
});

test('lists are split at commas and trimmed', () => {
  const config = loadConfig({
    SESSION_SECRET_KEY: 'new, old',
    CORS_ORIGINS: 'https://a.example/ ,http://localhost:3000,https://b.example:443',
    WEATHER_PROVIDERS: 'met-norway, open-meteo',
  });
  assert.deepEqual(config.session.keys, ['new', 'old']);
  assert.deepEqual(config.corsOrigins, [
    'https://a.example',
    'http://localhost:3000',
    'https://b.example',
  ]);
  assert.deepEqual(config.upstream.providers, ['met-norway', 'open-meteo']);
});

test('CORS_ORIGINS takes one origin, and * alone', () => {
  assert.deepEqual(loadConfig({ CORS_ORIGINS: 'https://a.example' }).corsOrigins, [
    'https://a.example',
  ]);
  assert.equal(loadConfig({ ...PRODUCTION, CORS_ORIGINS: '*' }).corsOrigins, '*');
  for (const value of [
    'null',
    '*,https://a.example',
    'a.example',
    'https://a.example/x',
    'https://*.example',
  ]) {
    assert.deepEqual(namesIn(faultsOf({ CORS_ORIGINS: value })), ['CORS_ORIGINS'], value);
  }
});

test('refreshing ahead takes at most a tenth of a life', () => {
  const ahead = (env: Record<string, string>) => loadConfig(env).cache.refreshAheadSeconds;
  assert.equal(ahead({ CACHE_TTL_SECONDS: '50' }), 5);
  assert.equal(ahead({ CACHE_TTL_SECONDS: '1' }), 0.1);
  assert.equal(ahead({ REFRESH_AHEAD_SECONDS: '0' }), 0);
});

test('a key for Open-Meteo goes to the customers’ host', () => {
  assert.equal(
    loadConfig({ OPEN_METEO_API_KEY: 'k' }).upstream.openMeteoUrl,
    'https://customer-api.open-meteo.com',
  );
  const env = { OPEN_METEO_API_KEY: 'k', OPEN_METEO_URL: 'http://own:8080/' };
  assert.equal(loadConfig(env).upstream.openMeteoUrl, 'http://own:8080');
});

test('what is off is off', () => {
  const config = loadConfig({
    RATE_LIMIT_PER_IP: '0',
    RATE_LIMIT_TOTAL: '0',
    STALE_IF_ERROR_SECONDS: '0',
    NEGATIVE_TTL_SECONDS: '0',
    ENABLE_LOGGING: 'false',
    RUN_WORKER: 'false',
    READINESS_REQUIRES_REDIS: 'FALSE',
    LOG_LEVEL: 'debug',
  });
  assert.deepEqual(
    [
      config.rateLimits.perIp.limit,
      config.rateLimits.total.limit,
      config.cache.staleIfErrorSeconds,
      config.cache.negativeTtlSeconds,
    ],
    [0, 0, 0, 0],
  );
  assert.deepEqual(
    [config.log, config.runWorker, config.readinessRequiresRedis],
    [{ enabled: false, level: 'DEBUG' }, false, false],
  );
});

test('hosts are names and addresses of either kind', () => {
  for (const HOST of ['127.0.0.1', '::', '::1', 'localhost', 'api.internal']) {
    assert.equal(loadConfig({ HOST }).host, HOST);
  }
});

test('every fault is told at once, by its variable', () => {
  const wrong = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, '\u00a7wrong/,/x']));
  // Whatever is given is a name to these.
  for (const free of [
    'SESSION_SECRET_KEY',
    'REDIS_SENTINEL_MASTER',
    'OPEN_METEO_API_KEY',
    'OPENWEATHERMAP_API_KEY',
  ]) {
    Reflect.deleteProperty(wrong, free);
  }
  const faults = faultsOf(wrong);
  for (const name of Object.keys(wrong)) {
    assert.ok(namesIn(faults).includes(name), `${name} is not among ${faults.join('\n')}`);
  }
  const { message } = new ConfigError(faults);
  for (const fault of faults) assert.ok(message.includes(fault));
});

test('a secret that is wrong is not told', () => {
  assert.doesNotMatch(faultsOf({ SESSION_SECRET_KEY: 's3cret,s3cret' }).join(), /s3cret/);
  assert.doesNotMatch(faultsOf({ SESSION_SECRET_KEY: 's3cret,' }).join(), /s3cret/);
  assert.doesNotMatch(faultsOf({ REDIS_URL: 'http://u:s3cret@h' }).join(), /s3cret/);
});

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ConfigError, loadConfig } from '../../src/config/config.js';
import { attributionOf, keyVariable, PROVIDERS, UPSTREAMS } from '../../src/config/providers.js';
import { VARIABLE_NAMES } from '../../src/config/variables.js';
import { SERVICE_NAME, SERVICE_VERSION } from '../../src/base/version.js';
import { faultsOf, KEY, namesIn, PRODUCTION } from './faults.js';

const KEYED_PROVIDERS = PROVIDERS.filter(([, { apiKey }]) => apiKey !== undefined);

describe('settings', () => {
  it('have development defaults for one process in memory', () => {
    const config = loadConfig({});
    assert.equal(config.UPSTREAM_USER_AGENT, `${SERVICE_NAME}/${SERVICE_VERSION}`);
    const { production, redis, providers, urls, apiKeys, lacksContact, usesGeocoder } = config;
    assert.deepEqual(
      { production, redis, providers, urls, apiKeys, lacksContact, usesGeocoder },
      {
        production: false,
        redis: undefined,
        providers: ['open-meteo', 'met-norway', 'demo'],
        urls: Object.fromEntries(UPSTREAMS.map(([name, { host }]) => [name, host])),
        apiKeys: Object.fromEntries(PROVIDERS.map(([name]) => [name, undefined])),
        lacksContact: false,
        usesGeocoder: true,
      },
    );
    const { CORS_ORIGINS, MCP_ENABLED, sessionTtls, shutdown } = config;
    assert.deepEqual([CORS_ORIGINS, MCP_ENABLED], ['*', true]);
    assert.deepEqual(sessionTtls, { ttlSeconds: 86_400, unconfirmedTtlSeconds: 1800 });
    assert.deepEqual(shutdown, { delayMs: 0, timeoutMs: 25_000 });
  });

  it('have other defaults in production', () => {
    const { production, CORS_ORIGINS, MCP_ENABLED, shutdown, providers } = loadConfig(PRODUCTION);
    assert.deepEqual(
      [production, CORS_ORIGINS, MCP_ENABLED, shutdown, providers],
      [true, [], false, { delayMs: 5000, timeoutMs: 25_000 }, ['open-meteo']],
    );
  });

  it('have no variable that the service does not have', () => {
    assert.deepEqual(loadConfig({ HOME: '/root', OTHER_SECRET: 's3cret' }), loadConfig({}));
  });

  it('treat an empty or blank variable as not set, except for budgets', () => {
    const names = VARIABLE_NAMES.filter((name) => name !== 'PROVIDER_BUDGETS');
    const empty = Object.fromEntries(names.map((name) => [name, '']));
    const blank = Object.fromEntries(names.map((name) => [name, '  ']));
    assert.deepEqual(loadConfig(empty), loadConfig({}));
    assert.deepEqual(loadConfig(blank), loadConfig({}));
  });
});

describe('a variable whose name the service does not have', () => {
  it('is reported if it begins as those of the service do, and has a value', () => {
    const unknown = ['RATE_LIMIT_TOTL', 'CACHE_TTL_SECOND', 'REDIS_TSL_CA', 'OPEN_METEO_MORE'];
    const others = ['NODE_OPTIONS', 'HOSTNAME', 'PORTS', 'REDISCLI_AUTH', 'LOGNAME', 'METRICS'];
    const env = Object.fromEntries([...unknown, ...others].map((name) => [name, 's3cret']));
    assert.deepEqual(loadConfig({ ...env, CACHE_TTL: ' ' }).unknownNames, unknown);
    const known = VARIABLE_NAMES.filter((name) => name !== 'PROVIDER_BUDGETS');
    const blank = Object.fromEntries(known.map((name) => [name, '']));
    assert.deepEqual(loadConfig(blank).unknownNames, []);
  });
});

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weather-secrets-'));
  after(() => {
    rmSync(folder, { recursive: true });
  });
  const fileWith = (text: string) => {
    const file = join(folder, `s3cret-${text.length}`);
    writeFileSync(file, text);
    return file;
  };

  it('has the effect of the variable, without the line break at its end', () => {
    const keys = `${'a'.repeat(40)},${'b'.repeat(40)}`;
    const { SESSION_SECRET_KEY: found } = loadConfig({
      ...PRODUCTION,
      ...{ SESSION_SECRET_KEY: '', SESSION_SECRET_KEY_FILE: fileWith(`${keys}\r\n`) },
    });
    assert.deepEqual(found, keys.split(','));
    for (const [name] of KEYED_PROVIDERS) {
      const env = { WEATHER_PROVIDERS: name, [`${keyVariable(name)}_FILE`]: fileWith('k1\n') };
      assert.equal(loadConfig(env).apiKeys[name], 'k1');
    }
  });

  it('is a fault of the file if it is missing, empty, or too short, or together with the variable', () => {
    const FILE = 'SESSION_SECRET_KEY_FILE';
    const without = { ...PRODUCTION, SESSION_SECRET_KEY: '' };
    for (const path of [join(folder, 's3cret-missing'), folder, fileWith(' \n')]) {
      const faults = faultsOf({ ...without, [FILE]: path });
      assert.deepEqual(faults, [`${FILE} must name a file that can be read and is not empty`]);
    }
    const short = faultsOf({ ...without, [FILE]: fileWith('s3cret') });
    assert.deepEqual(namesIn(short), ['SESSION_SECRET_KEY']);
    assert.doesNotMatch(short.join(), /s3cret/);
    assert.deepEqual(faultsOf({ ...PRODUCTION, [FILE]: fileWith(KEY) }), [
      `SESSION_SECRET_KEY, ${FILE} must not both be set`,
    ]);
  });
});

describe('MET Norway in production', () => {
  const contact = { ...PRODUCTION, UPSTREAM_USER_AGENT: 'mine/1.0 ops@example.com' };
  const chainOf = (env: Record<string, string>) => loadConfig(env).providers;

  it('is left out if the User-Agent has no contact', () => {
    assert.deepEqual(chainOf(PRODUCTION), ['open-meteo']);
    assert.equal(loadConfig(PRODUCTION).lacksContact, true);
    // Without TLS, or with the final dot of a full name, it is the same host.
    for (const url of ['http://api.met.no', 'https://API.met.no.:8443']) {
      assert.deepEqual(chainOf({ ...PRODUCTION, MET_NORWAY_URL: url }), ['open-meteo'], url);
    }
    assert.deepEqual(chainOf(contact), ['open-meteo', 'met-norway']);
    assert.equal(loadConfig(contact).lacksContact, false);
  });

  it('is called without a contact at another host than the public one', () => {
    const elsewhere = { ...PRODUCTION, MET_NORWAY_URL: 'http://met.example' };
    assert.deepEqual(chainOf(elsewhere), ['open-meteo', 'met-norway']);
  });

  it('cannot be the only provider without a contact', () => {
    const alone = { ...PRODUCTION, WEATHER_PROVIDERS: 'met-norway' };
    assert.deepEqual(namesIn(faultsOf(alone)), ['UPSTREAM_USER_AGENT']);
    assert.deepEqual(faultsOf({ ...contact, WEATHER_PROVIDERS: 'met-norway' }), []);
  });
});

describe('WEATHER_PROVIDERS', () => {
  it('must not contain demo in production', () => {
    const demo = { ...PRODUCTION, WEATHER_PROVIDERS: 'demo' };
    assert.deepEqual(namesIn(faultsOf(demo)), ['WEATHER_PROVIDERS']);
    assert.match(attributionOf('demo', 'current') ?? '', /^Invented weather/);
    assert.equal(attributionOf('another', 'current'), undefined);
  });

  for (const [name, { apiKey }] of KEYED_PROVIDERS) {
    it(`${name}: the API key is ${apiKey}`, () => {
      const missing = apiKey === 'required' ? [keyVariable(name)] : [];
      assert.deepEqual(namesIn(faultsOf({ WEATHER_PROVIDERS: name })), missing);
      const given = { WEATHER_PROVIDERS: name, [keyVariable(name)]: 'k' };
      assert.equal(loadConfig(given).apiKeys[name], 'k');
    });
  }
});

describe('PROVIDER_BUDGETS', () => {
  const budgetsOf = (text: string) => loadConfig({ PROVIDER_BUDGETS: text }).PROVIDER_BUDGETS;

  it('has windows for each provider', () => {
    assert.deepEqual(
      budgetsOf(' open-meteo = 600/60, 5000/3600 ; met-norway=20/1'),
      new Map([
        [
          'open-meteo',
          [
            { limit: 600, windowSeconds: 60 },
            { limit: 5000, windowSeconds: 3600 },
          ],
        ],
        ['met-norway', [{ limit: 20, windowSeconds: 1 }]],
      ]),
    );
  });

  it('means no budgets if it is empty, and has at most four windows for a provider', () => {
    assert.equal(budgetsOf('open-meteo=1/1,2/2,3/3,4/4')?.get('open-meteo')?.length, 4);
    assert.deepEqual(budgetsOf(''), new Map());
    assert.deepEqual(budgetsOf('  '), new Map());
  });

  it('is rejected if it is malformed', () => {
    for (const wrong of [
      ...['demo=1/1', 'unknown=1/1', 'open-meteo', 'open-meteo=', 'open-meteo=0/60'],
      ...['open-meteo=60/0', 'open-meteo=60', 'open-meteo=1/1/1', 'open-meteo=1/1;open-meteo=2/2'],
      ...['open-meteo=1/1,2/1', 'open-meteo=1/1,1/2,1/3,1/4,1/5', 'open-meteo=1/1;', '-1/5'],
    ]) {
      assert.deepEqual(namesIn(faultsOf({ PROVIDER_BUDGETS: wrong })), ['PROVIDER_BUDGETS'], wrong);
    }
  });
});

describe('SESSION_SECRET_KEY', () => {
  const short = 'x'.repeat(31);

  it('has at least 32 characters in production in each of its keys', () => {
    for (const keys of [short, `${KEY},${short}`, `${short},${KEY}`]) {
      const faults = faultsOf({ ...PRODUCTION, SESSION_SECRET_KEY: keys });
      assert.deepEqual(namesIn(faults), ['SESSION_SECRET_KEY'], keys);
      assert.doesNotMatch(faults.join(), /xxx/);
    }
    const two = { ...PRODUCTION, SESSION_SECRET_KEY: `${KEY},${'y'.repeat(32)}` };
    assert.deepEqual(loadConfig(two).SESSION_SECRET_KEY, [KEY, 'y'.repeat(32)]);
  });

  it('may be shorter in development', () => {
    assert.deepEqual(loadConfig({ SESSION_SECRET_KEY: short }).SESSION_SECRET_KEY, [short]);
  });

  it('is not needed by a worker', () => {
    const env = { ...PRODUCTION, SESSION_SECRET_KEY: '' };
    assert.deepEqual(faultsOf(env, 'worker'), []);
    assert.deepEqual(namesIn(faultsOf(env)), ['SESSION_SECRET_KEY']);
  });
});

describe('values', () => {
  it('lists are split at commas and trimmed', () => {
    const config = loadConfig({
      SESSION_SECRET_KEY: 'new, old',
      CORS_ORIGINS: 'https://a.example/ ,http://localhost:3000,https://b.example:443',
      WEATHER_PROVIDERS: 'met-norway, open-meteo',
    });
    assert.deepEqual(config.SESSION_SECRET_KEY, ['new', 'old']);
    assert.deepEqual(config.CORS_ORIGINS, [
      'https://a.example',
      'http://localhost:3000',
      'https://b.example',
    ]);
    assert.deepEqual(config.providers, ['met-norway', 'open-meteo']);
  });

  it('numbers have bounds, and the port of the metrics is not the public one', () => {
    const rows: [env: Record<string, string>, fault: string][] = [
      [{ RATE_LIMIT_PER_IP: '1000001' }, 'RATE_LIMIT_PER_IP must be less than or equal to 1000000'],
      [
        { CACHE_TTL_SECONDS: '31536001' },
        'CACHE_TTL_SECONDS must be less than or equal to 31536000',
      ],
      [{ PORT: '65536' }, 'PORT must be less than or equal to 65535'],
      [{ CACHE_TTL_SECONDS: '0' }, 'CACHE_TTL_SECONDS must be greater than or equal to 1'],
      [
        { REQUEST_TIMEOUT_MS: '86400001' },
        'REQUEST_TIMEOUT_MS must be less than or equal to 86400000',
      ],
      [{ METRICS_PORT: '8080' }, 'METRICS_PORT must differ from PORT: metrics must not be public'],
    ];
    for (const [env, fault] of rows) assert.deepEqual(faultsOf(env), [fault]);
    assert.deepEqual(faultsOf({ RATE_LIMIT_TOTAL: '1000000', METRICS_PORT: '0', PORT: '0' }), []);
  });

  it('CORS_ORIGINS accepts origins, or only *', () => {
    assert.equal(loadConfig({ ...PRODUCTION, CORS_ORIGINS: '*' }).CORS_ORIGINS, '*');
    for (const value of ['null', '*,https://a.example', 'https://a.example/x', 'https://*.b']) {
      assert.deepEqual(namesIn(faultsOf({ CORS_ORIGINS: value })), ['CORS_ORIGINS'], value);
    }
  });

  it('Open-Meteo with a key is called at its hosts for customers', () => {
    const urlsOf = (env: Record<string, string>) => {
      const { urls } = loadConfig({ OPEN_METEO_API_KEY: 'k', ...env });
      return [urls['open-meteo'], urls['open-meteo-geocoding'], urls['met-norway']];
    };
    assert.deepEqual(urlsOf({}), [
      'https://customer-api.open-meteo.com',
      'https://customer-geocoding-api.open-meteo.com',
      'https://api.met.no',
    ]);
    const own = {
      OPEN_METEO_URL: 'http://own:8080/',
      OPEN_METEO_GEOCODING_URL: 'http://own:8081/',
      MET_NORWAY_URL: 'http://own:8082',
    };
    assert.deepEqual(urlsOf(own), ['http://own:8080', 'http://own:8081', 'http://own:8082']);
  });

  it('names are sent to the geocoder only if the operator has chosen it, or its provider', () => {
    const uses = (env: Record<string, string>) => loadConfig(env).usesGeocoder;
    assert.equal(uses({}), true);
    assert.equal(uses({ WEATHER_PROVIDERS: 'met-norway,open-meteo' }), true);
    assert.equal(uses({ WEATHER_PROVIDERS: 'met-norway,weather-gov' }), false);
    assert.equal(uses({ WEATHER_PROVIDERS: 'demo', OPEN_METEO_URL: 'http://own:1' }), false);
    assert.equal(uses({ WEATHER_PROVIDERS: 'demo', OPEN_METEO_API_KEY: 'k' }), false);
    const own = { WEATHER_PROVIDERS: 'demo', OPEN_METEO_GEOCODING_URL: 'http://own:1' };
    assert.equal(uses(own), true);
  });

  it('a request waits for the queue and for one attempt at each provider, within its time limit', () => {
    const env = { WEATHER_PROVIDERS: 'open-meteo,met-norway', UPSTREAM_TIMEOUT_MS: '3000' };
    assert.deepEqual(loadConfig(env).waits, { queuedMs: 20_000, wholeMs: 26_000 });
    const { waits } = loadConfig({ ...env, REQUEST_TIMEOUT_MS: '10000' });
    assert.deepEqual(waits, { queuedMs: 10_000, wholeMs: 10_000 });
  });

  it('0 and false switch a feature off', () => {
    const zero = ['RATE_LIMIT_PER_IP', 'RATE_LIMIT_TOTAL', 'STALE_IF_ERROR_SECONDS'];
    const config = loadConfig({
      ...Object.fromEntries(zero.map((name) => [name, '0'])),
      ENABLE_LOGGING: 'false',
      READINESS_REQUIRES_REDIS: 'FALSE',
      LOG_LEVEL: 'debug',
    });
    const { RATE_LIMIT_PER_IP, RATE_LIMIT_TOTAL, STALE_IF_ERROR_SECONDS } = config;
    assert.deepEqual([RATE_LIMIT_PER_IP, RATE_LIMIT_TOTAL, STALE_IF_ERROR_SECONDS], [0, 0, 0]);
    const { ENABLE_LOGGING, READINESS_REQUIRES_REDIS, LOG_LEVEL } = config;
    assert.deepEqual(
      [ENABLE_LOGGING, READINESS_REQUIRES_REDIS, LOG_LEVEL],
      [false, false, 'DEBUG'],
    );
  });

  it('HOST is a name, an IPv4 address, or an IPv6 address', () => {
    for (const HOST of ['127.0.0.1', '::1', 'api.internal']) {
      assert.equal(loadConfig({ HOST }).HOST, HOST);
    }
    for (const HOST of ['127.0.0.256', '127.0.0.1:8080', 'http://localhost', '-a']) {
      assert.deepEqual(faultsOf({ HOST }), ['HOST must be an IP address or a host name']);
    }
  });
});

describe('faults', () => {
  it('all faults are reported at once, each with its variable', () => {
    const wrong = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, '\u00a7wrong/,/x']));
    // Any text is valid for these.
    for (const free of [
      'SESSION_SECRET_KEY',
      'REDIS_SENTINEL_MASTER',
      'REDIS_SENTINEL_PASSWORD',
      'REDIS_PASSWORD',
      ...KEYED_PROVIDERS.map(([name]) => keyVariable(name)),
    ]) {
      Reflect.deleteProperty(wrong, free);
    }
    const faults = faultsOf(wrong);
    const accepted = Object.keys(wrong).filter((name) => !namesIn(faults).includes(name));
    assert.deepEqual(accepted, [], 'the list above lacks a variable for which any text is valid');
    const { message } = new ConfigError(faults);
    for (const fault of faults) assert.ok(message.includes(fault));
  });

  it('a list has all of its faults', () => {
    assert.deepEqual(faultsOf({ CORS_ORIGINS: 'https://a.example,,x,https://a.example' }), [
      'CORS_ORIGINS must not contain an empty item; must be an origin such as https://app.example.com, without a path; contains a duplicate value',
    ]);
  });

  it('a fault says which values are valid', () => {
    assert.deepEqual(faultsOf({ MCP_ENABLED: '1' }), ['MCP_ENABLED must be true or false']);
    for (const MET_NORWAY_URL of ['https://me:s3cret@h', 'https://h/path', 'https://h?key=1']) {
      assert.deepEqual(faultsOf({ MET_NORWAY_URL }), [
        'MET_NORWAY_URL must be an http or https address without a user, a path, or a query',
      ]);
    }
  });

  it('no fault contains a secret', () => {
    assert.doesNotMatch(faultsOf({ SESSION_SECRET_KEY: 's3cret,s3cret' }).join(), /s3cret/);
    assert.doesNotMatch(faultsOf({ SESSION_SECRET_KEY: 's3cret,' }).join(), /s3cret/);
    assert.doesNotMatch(faultsOf({ REDIS_URL: 'http://u:s3cret@h' }).join(), /s3cret/);
  });
});

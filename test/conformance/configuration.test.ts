import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { ask } from '../support/http-client.js';
import { freePort } from '../support/redis-server.js';
import { launch } from '../support/service.js';

/** Starts an API process that must refuse its configuration, and gives the faults that it tells. */
async function faultsOf(env: Record<string, string>): Promise<string[]> {
  const port = await freePort();
  const service = launch('server.js', { PORT: String(port), ...env });
  assert.equal(await service.exited, 1);
  assert.deepEqual(service.noise, []);
  assert.deepEqual(
    service.records.map(({ event, level }) => [event, level]),
    [['configuration_invalid', 'ERROR']],
  );
  await assert.rejects(ask(`http://127.0.0.1:${port}/api/health`), 'nothing listens');
  const [{ message, faults }] = service.records as unknown as [Record<string, unknown>];
  for (const fault of faults as string[]) assert.ok(String(message).includes(fault));
  return faults as string[];
}

const nameOf = (fault: string) => fault.split(' ')[0];

describe('a configuration that is not valid', () => {
  it('ends the process with code 1 and names every fault at once, without a secret', async () => {
    const wrong = {
      NODE_ENV: 'staging',
      REDIS_URL: 'http://user:pass-s3cret@redis',
      REDIS_CLUSTER_NODES: 'a',
      SESSION_SECRET_KEY: 's3cret,,s3cret',
      SESSION_TTL_SECONDS: '0',
      SESSION_UNCONFIRMED_TTL_SECONDS: '0',
      CORS_ORIGINS: 'https://a.example/path',
      LOG_LEVEL: 'LOUD',
      ENABLE_LOGGING: 'maybe',
      CACHE_TTL_SECONDS: '-1',
      STALE_IF_ERROR_SECONDS: 'x',
      REFRESH_AHEAD_SECONDS: '1.5',
      NEGATIVE_TTL_SECONDS: '1e99',
      RATE_LIMIT_PER_IP: '-1',
      RATE_LIMIT_PER_IP_WINDOW_SECONDS: '0',
      RATE_LIMIT_TOTAL: 'many',
      RATE_LIMIT_TOTAL_WINDOW_SECONDS: '0',
      TRUST_PROXY: 'true',
      WEATHER_PROVIDERS: 'open-meteo,accuweather',
      OPEN_METEO_URL: 'https://x/v1',
      OPEN_METEO_GEOCODING_URL: 'x',
      MET_NORWAY_URL: 'ftp://x',
      OPENWEATHERMAP_URL: '://',
      UPSTREAM_USER_AGENT: 'a\u00e9',
      UPSTREAM_TIMEOUT_MS: '0',
      REQUEST_TIMEOUT_MS: 'x',
      UPSTREAM_CONCURRENCY: '0',
      RUN_WORKER: '2',
      REPLICAS_HINT: '0',
      READINESS_REQUIRES_REDIS: 'x',
      SHUTDOWN_DELAY_MS: '-1',
      SHUTDOWN_TIMEOUT_MS: 'x',
      METRICS_PORT: '99999',
      PORT: '70000',
      HOST: 'no host',
      REDIS_SENTINELS: 'a:b',
      REDIS_SENTINEL_MASTER: '',
    };
    const service = launch('server.js', wrong);
    assert.equal(await service.exited, 1);
    const [{ faults }] = service.records as unknown as [{ faults: string[] }];
    const expected = Object.keys(wrong).filter((name) => name !== 'REDIS_SENTINEL_MASTER');
    for (const name of expected) {
      assert.ok(
        faults.some((fault) => nameOf(fault) === name),
        `${name} is missing in ${faults.join('\n')}`,
      );
    }
    assert.doesNotMatch(JSON.stringify(service.records), /s3cret/);
  });

  it('production demands a session key and Redis, and never serves invented weather', async () => {
    const faults = await faultsOf({
      NODE_ENV: 'production',
      SESSION_SECRET_KEY: '',
      WEATHER_PROVIDERS: 'demo',
    });
    assert.deepEqual(faults.map(nameOf), ['SESSION_SECRET_KEY', 'REDIS_URL', 'WEATHER_PROVIDERS']);
  });

  it('a URL that cannot be decoded is a fault like the others', async () => {
    const faults = await faultsOf({ REDIS_URL: 'redis://:s3cret%zz@redis' });
    assert.deepEqual(faults.map(nameOf), ['REDIS_URL']);
    assert.doesNotMatch(faults.join(), /s3cret/);
  });

  it('production demands 32 characters of each session key', async () => {
    const production = { NODE_ENV: 'production', REDIS_URL: 'redis://redis' };
    for (const keys of ['s3cret', `${'k'.repeat(32)},s3cret`]) {
      const faults = await faultsOf({ ...production, SESSION_SECRET_KEY: keys });
      assert.deepEqual(faults.map(nameOf), ['SESSION_SECRET_KEY']);
      assert.doesNotMatch(faults.join(), /s3cret/);
    }
  });

  it('the openweathermap provider demands its key', async () => {
    assert.deepEqual((await faultsOf({ WEATHER_PROVIDERS: 'openweathermap' })).map(nameOf), [
      'OPENWEATHERMAP_API_KEY',
    ]);
  });

  it('* is no origin among others', async () => {
    assert.deepEqual((await faultsOf({ CORS_ORIGINS: 'https://a.example,*' })).map(nameOf), [
      'CORS_ORIGINS',
    ]);
    assert.deepEqual((await faultsOf({ CORS_ORIGINS: 'null' })).map(nameOf), ['CORS_ORIGINS']);
  });

  it('is told with logging off, too', async () => {
    const faults = await faultsOf({ ENABLE_LOGGING: 'false', TRUST_PROXY: 'x' });
    assert.deepEqual(faults.map(nameOf), ['TRUST_PROXY']);
  });
});

describe('the start of the process', () => {
  it('a port that is taken ends the process with code 1', async () => {
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    const service = launch('server.js', { PORT: String(port), WEATHER_PROVIDERS: 'demo' });
    assert.equal(await service.exited, 1);
    assert.match(JSON.stringify(service.records), /EADDRINUSE/);
    other.close();
  });

  it('without a session key development starts with a warning', async () => {
    const service = launch('server.js', { SESSION_SECRET_KEY: '', WEATHER_PROVIDERS: 'demo' });
    await service.waitFor('server_started');
    const [warning, ...others] = service.of('session_key_random');
    assert.deepEqual([warning?.level, others], ['WARNING', []]);
    assert.match(String(warning?.['hint']), /SESSION_SECRET_KEY/);
    service.kill('SIGKILL');
    await service.exited;
  });
});

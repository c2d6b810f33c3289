import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ignoredVariables } from '../../src/config/ignored-variables.js';
import { VARIABLE_NAMES } from '../../src/config/variables.js';
import { ROOT } from '../deploy/compose-file.js';
import { faultsOf } from './faults.js';

/** The similar variable of each one that is ignored. */
const similarTo = (source: Record<string, string>) =>
  Object.fromEntries(
    ignoredVariables(source, VARIABLE_NAMES).map(({ name, similar }) => [name, similar]),
  );
const set = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'x']));

describe('a variable that the service does not have', () => {
  it('is reported with a similar one if its name is misspelled', () => {
    const expected = {
      REDIS_URI: 'REDIS_URL',
      redis_url: 'REDIS_URL',
      CORS_ORIGIN: 'CORS_ORIGINS',
      TRUST_PROXIES: 'TRUST_PROXY',
      LOGLEVEL: 'LOG_LEVEL',
      PROT: 'PORT',
      METRIC_PORT: 'METRICS_PORT',
      OPENWEATHER_API_KEY: 'OPENWEATHERMAP_API_KEY',
      RATE_LIMIT_TOTAL_WINDOW_SECS: 'RATE_LIMIT_TOTAL_WINDOW_SECONDS',
      CACHE_TTL_SECOND: 'CACHE_TTL_SECONDS',
    };
    assert.deepEqual(similarTo(set(...Object.keys(expected))), expected);
  });

  it('is reported with the whole name if it lacks the end, such as the unit', () => {
    const expected = {
      CACHE_TTL: 'CACHE_TTL_SECONDS',
      NEGATIVE_TTL: 'NEGATIVE_TTL_SECONDS',
      STALE_IF_ERROR: 'STALE_IF_ERROR_SECONDS',
      SESSION_TTL: 'SESSION_TTL_SECONDS',
      SHUTDOWN_TIMEOUT: 'SHUTDOWN_TIMEOUT_MS',
      REDIS_PASS: 'REDIS_PASSWORD',
    };
    assert.deepEqual(similarTo(set(...Object.keys(expected))), expected);
  });

  it('is reported with a similar one of its own group', () => {
    const expected = { SESSION_KEY: 'SESSION_SECRET_KEY', REDIS_PASSPHRASE: 'REDIS_PASSWORD' };
    assert.deepEqual(similarTo(set(...Object.keys(expected))), expected);
  });

  it('is reported if its name begins like several others', () => {
    const names = ['REDIS_HOST', 'SESSION_KEY', 'RATE_LIMIT', 'UPSTREAM_RETRIES', 'REDIS_USERNAME'];
    assert.deepEqual(Object.keys(similarTo(set(...names))), names);
  });

  it('is not reported if it is empty, or another program sets it', () => {
    const others = [
      ...['HOME', 'HOSTNAME', 'USER', 'TERM', 'SHELL', 'SHLVL', 'LOGNAME', 'EDITOR', 'PWD', '_'],
      ...['NODE_OPTIONS', 'NODE_VERSION', 'NODE_PATH', 'YARN_VERSION', 'npm_config_cache', 'CI'],
      ...['KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT_HTTPS', 'KUBERNETES_PORT_443_TCP'],
      ...['WEATHER_API_SERVICE_HOST', 'WEATHER_API_SERVICE_PORT', 'WEATHER_API_SERVICE_PORT_HTTP'],
      ...['WEATHER_API_PORT', 'WEATHER_API_PORT_80_TCP', 'WEATHER_API_PORT_80_TCP_ADDR'],
      ...['REDIS_PORT', 'REDIS_SERVICE_HOST', 'REDIS_PORT_6379_TCP_PROTO', 'SESSION_MANAGER'],
      ...['HTTPS_PROXY', 'NO_PROXY', 'LD_PRELOAD', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'TZ', 'LANG'],
    ];
    assert.deepEqual(similarTo(set(...others)), {});
    assert.deepEqual(similarTo({ REDIS_URI: ' ', METRIC_PORT: 'tcp://10.96.0.1:9464' }), {});
    assert.deepEqual(similarTo(set(...VARIABLE_NAMES)), {});
  });

  it('is not reported if docker-compose.yml reads it', () => {
    const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
    const names = [...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name);
    assert.ok(names.includes('API_REPLICAS'));
    assert.deepEqual(similarTo(set(...names)), {});
  });

  it('is among the faults of an invalid configuration, because it may be the missing variable', () => {
    const env = { NODE_ENV: 'production', SESSION_SECRET_KEY: 'k'.repeat(32), REDIS_URI: 's3cret' };
    assert.deepEqual(faultsOf(env), [
      'REDIS_URL (or REDIS_CLUSTER_NODES, or REDIS_SENTINELS) is required in production',
      'REDIS_URI is ignored (similar: REDIS_URL)',
    ]);
    assert.deepEqual(faultsOf({ REDIS_URI: 's3cret' }), []);
  });
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ignoredVariables } from '../../src/config/config.js';
import { VARIABLE_NAMES } from '../../src/config/variables.js';
import { ROOT } from '../deploy/compose-file.js';
import { faultsOf } from './faults.js';

const set = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'x']));

describe('a variable that the service does not have', () => {
  it('is reported if its name begins like that of a variable', () => {
    const names = [
      ...['REDIS_HOST', 'REDIS_URI', 'SESSION_KEY', 'RATE_LIMIT', 'UPSTREAM_RETRIES'],
      ...['CACHE_TTL', 'CORS_ORIGIN', 'TRUST_PROXIES', 'SHUTDOWN_TIMEOUT', 'NEGATIVE_TTL'],
    ];
    assert.deepEqual(ignoredVariables(set(...names)), names);
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
    assert.deepEqual(ignoredVariables(set(...others)), []);
    assert.deepEqual(ignoredVariables({ REDIS_URI: ' ' }), []);
    assert.deepEqual(ignoredVariables(set(...VARIABLE_NAMES)), []);
  });

  it('is not reported if docker-compose.yml reads it', () => {
    const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
    const names = [...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name);
    assert.ok(names.includes('API_REPLICAS'));
    assert.deepEqual(ignoredVariables(set(...names)), []);
  });

  it('is among the faults of an invalid configuration, because it may be the missing variable', () => {
    const env = { NODE_ENV: 'production', SESSION_SECRET_KEY: 'k'.repeat(32), REDIS_URI: 's3cret' };
    assert.deepEqual(faultsOf(env), [
      'REDIS_URL (or REDIS_CLUSTER_NODES, or REDIS_SENTINELS) is required in production',
      'REDIS_URI is ignored',
    ]);
    assert.deepEqual(faultsOf({ REDIS_URI: 's3cret' }), []);
  });
});

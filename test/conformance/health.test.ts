import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SERVICE_VERSION } from '../../src/base/version.js';
import { useService } from '../support/conformance.js';
import { ask } from '../support/http-client.js';

describe('the probes', () => {
  const fixture = useService({}, 'redis');

  it('return the version under both paths of health', async () => {
    for (const path of ['/api/health', '/api/v1/health']) {
      const { status, json, headers } = await ask(fixture.url + path);
      const expected = {
        status: 'ok',
        service: 'weather-lookup-service',
        version: SERVICE_VERSION,
      };
      assert.deepEqual([status, json], [200, expected]);
      assert.equal(headers['cache-control'], 'no-store');
    }
  });

  it('return exactly these bodies for liveness and readiness', async () => {
    const live = await ask(`${fixture.url}/api/v1/health/live`);
    assert.deepEqual([live.status, live.json], [200, { status: 'alive' }]);
    const ready = await ask(`${fixture.url}/api/v1/health/ready`);
    const checks = { redis: 'ok' };
    assert.deepEqual([ready.status, ready.json], [200, { status: 'ready', checks }]);
  });
});

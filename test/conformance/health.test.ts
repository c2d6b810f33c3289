import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { useService } from '../support/conformance.js';
import { ask } from '../support/http-client.js';
import { PATHS } from '../support/stub-provider.js';

describe('the probes', () => {
  const fixture = useService({ LOG_LEVEL: 'DEBUG' }, 'redis');

  it('return the version under both paths of health', async () => {
    const { version } = JSON.parse(
      await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as { version: string };
    for (const path of ['/api/health', '/api/v1/health']) {
      const { status, json, headers } = await ask(fixture.url + path);
      const expected = { status: 'ok', service: 'weather-lookup-service', version };
      assert.deepEqual([status, json], [200, expected]);
      assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    }
  });

  it('return exactly these bodies for liveness and readiness, whatever the providers do', async () => {
    fixture.stub.behave(PATHS.openMeteo, { kind: 'reset' });
    const live = await ask(`${fixture.url}/api/v1/health/live`);
    assert.deepEqual([live.status, live.json], [200, { status: 'alive' }]);
    const ready = await ask(`${fixture.url}/api/v1/health/ready`);
    const checks = { redis: 'ok' };
    assert.deepEqual([ready.status, ready.json], [200, { status: 'ready', checks }]);
  });

  it('ignore parameters, set no cookie, must not be cached, and are logged at DEBUG', async () => {
    for (const path of ['/api/health', '/api/v1/health/live', '/api/v1/health/ready']) {
      const headers = { Cookie: 'session=x', 'X-Request-ID': path.replaceAll('/', '.') };
      const answer = await ask(`${fixture.url}${path}?x=1`, { headers });
      assert.deepEqual([answer.status, answer.cookies], [200, []]);
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.equal(answer.headers['x-ratelimit-limit'], undefined);
      const record = await fixture.service.waitFor(
        'request',
        ({ request_id: id }) => id === headers['X-Request-ID'],
      );
      assert.equal(record.level, 'DEBUG');
    }
  });
});

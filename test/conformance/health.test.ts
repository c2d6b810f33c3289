import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { forEachStore, useService } from '../support/conformance.js';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { freePort, startRedis } from '../support/redis-server.js';
import { startReplica } from '../support/service.js';

forEachStore((store) => {
  const fixture = useService({ LOG_LEVEL: 'DEBUG' }, store);

  it('health is the same under both paths', async () => {
    const { version } = JSON.parse(
      await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as { version: string };
    for (const path of ['/api/health', '/api/v1/health']) {
      const { status, json, headers } = await ask(fixture.url + path);
      assert.deepEqual(
        [status, json],
        [200, { status: 'ok', service: 'weather-lookup-service', version }],
      );
      assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    }
  });

  it('is alive', async () => {
    const { status, json } = await ask(`${fixture.url}/api/v1/health/live`);
    assert.deepEqual([status, json], [200, { status: 'alive' }]);
  });

  it('is ready', async () => {
    const { status, json } = await ask(`${fixture.url}/api/v1/health/ready`);
    const redis = store === 'redis' ? 'ok' : 'not_configured';
    assert.deepEqual([status, json], [200, { status: 'ready', checks: { redis } }]);
  });

  it('probes take no parameters, need no session and give none', async () => {
    for (const path of ['/api/health', '/api/v1/health/live', '/api/v1/health/ready']) {
      const answer = await ask(`${fixture.url}${path}?x=1`, { headers: { Cookie: 'session=x' } });
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.cookies, []);
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.equal(answer.headers['x-ratelimit-limit'], undefined);
    }
  });

  it('probes are recorded at DEBUG', async () => {
    await ask(`${fixture.url}/api/v1/health`, { headers: { 'X-Request-ID': 'probe-1' } });
    const record = await fixture.service.waitFor('request', (r) => r['request_id'] === 'probe-1');
    assert.equal(record.level, 'DEBUG');
  });

  it('readiness does not depend on a provider', async () => {
    for (const path of ['/v1/forecast', '/v1/search']) {
      fixture.standIn.behave(path, { kind: 'reset' });
    }
    assert.equal((await ask(`${fixture.url}/api/v1/health/ready`)).status, 200);
  });
});

describe('without the Redis that it is configured for', () => {
  it('starts, is alive and not ready, and becomes ready when Redis starts', async () => {
    const port = await freePort();
    const service = await startReplica({ REDIS_URL: `redis://127.0.0.1:${port}` });
    try {
      const health = await ask(`${service.url}/api/v1/health`);
      const live = await ask(`${service.url}/api/v1/health/live`);
      assert.deepEqual([health.status, live.status], [200, 200]);
      const ready = await ask(`${service.url}/api/v1/health/ready`);
      assert.deepEqual(
        [ready.status, ready.json],
        [503, { status: 'not_ready', checks: { redis: 'down' } }],
      );

      const redis = await startRedis({ port });
      try {
        await becomesReady(service);
      } finally {
        await redis.stop();
      }
      await eventually(async () => (await readiness(service)) === 503, 'an unready replica');
    } finally {
      service.kill('SIGKILL');
      await service.exited;
    }
  });

  it('stays unready until the first contact, even where Redis is optional later', async () => {
    const service = await startReplica({
      REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
      READINESS_REQUIRES_REDIS: 'false',
    });
    try {
      const { status, json } = await ask(`${service.url}/api/v1/health/ready`);
      assert.deepEqual([status, json], [503, { status: 'not_ready', checks: { redis: 'down' } }]);
    } finally {
      service.kill('SIGKILL');
      await service.exited;
    }
  });
});

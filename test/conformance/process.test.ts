import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { weatherOf } from '../support/conformance.js';
import { ask } from '../support/http-client.js';
import { startReplica } from '../support/service.js';

describe('a signal', () => {
  it('SIGINT makes the process drain: it is alive, not ready, and serves requests', async () => {
    const service = await startReplica({
      WEATHER_PROVIDERS: 'demo',
      SHUTDOWN_DELAY_MS: '2000',
      SHUTDOWN_TIMEOUT_MS: '20000',
    });
    service.kill('SIGINT');
    await service.waitFor('shutdown_started');
    const ready = await ask(`${service.url}/api/v1/health/ready`);
    const { status, checks } = ready.json as { status: string; checks: Record<string, string> };
    assert.deepEqual([ready.status, status, checks['redis']], [503, 'not_ready', 'not_configured']);
    assert.equal((await ask(`${service.url}/api/v1/health/live`)).status, 200);
    assert.equal((await ask(service.url + weatherOf('Seattle', 'USA'))).status, 200);
    assert.equal(await service.exited, 0);
    assert.deepEqual(service.noise, []);
  });
});

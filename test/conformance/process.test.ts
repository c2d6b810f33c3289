import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { useService, weatherOf } from '../support/conformance.js';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { launch, startReplica, type LogRecord } from '../support/service.js';
import { PATHS } from '../support/stub-provider.js';

describe('a signal', { concurrency: true }, () => {
  it('SIGINT makes the process exit with code 0', async () => {
    const service = await startReplica({ WEATHER_PROVIDERS: 'demo' });
    service.kill('SIGINT');
    assert.equal(await service.exited, 0);
    assert.deepEqual(service.noise, []);
    assert.equal(service.of('shutdown_complete').length, 1);
  });

  it('SIGTERM during the start makes the process exit with code 0', async () => {
    const env = { SESSION_SECRET_KEY: '', REDIS_URL: 'redis://127.0.0.1:1' };
    const options = {
      // The first record, before anything is loaded.
      onRecord({ event }: LogRecord) {
        if (event === 'session_key_random') service.kill('SIGTERM');
      },
    };
    const service = launch('server.js', env, {}, options);
    assert.equal(await service.exited, 0);
  });

  it('SIGTERM makes the process drain: it is alive, not ready, and serves requests', async () => {
    const service = await startReplica({
      WEATHER_PROVIDERS: 'demo',
      SHUTDOWN_DELAY_MS: '2000',
      SHUTDOWN_TIMEOUT_MS: '20000',
    });
    service.kill('SIGTERM');
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

describe('a request in flight', () => {
  const fixture = useService();

  it('leaves one record if the end of the process cuts it', async (t) => {
    const service = await fixture.replica({ SHUTDOWN_TIMEOUT_MS: '1000' });
    fixture.stub.behave(PATHS.openMeteo, { kind: 'hang' });
    const { hostname, port } = new URL(service.url);
    const socketOf = (head: string) => {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      t.after(() => socket.destroy());
      socket.write(`${head}\r\nHost: x\r\n`);
      return socket;
    };
    const fetching = socketOf(`GET ${weatherOf('Turku', 'Finland')} HTTP/1.1`);
    fetching.write('X-Request-ID: fetching\r\n\r\n');
    const sending = socketOf('POST /api/v1/weather HTTP/1.1');
    const body = 'Content-Type: application/json\r\nContent-Length: 40\r\n';
    sending.write(`X-Request-ID: sending\r\nExpect: 100-continue\r\n${body}\r\n{`);
    await Promise.all([
      once(sending, 'data'),
      eventually(() => fixture.stub.count(PATHS.openMeteo) > 0, 'the fetch'),
    ]);
    service.kill('SIGTERM');
    assert.equal(await service.exited, 0);
    const ids = service.of('weather_request').map((record) => record['request_id']);
    assert.deepEqual(ids.toSorted(), ['fetching', 'sending']);
  });
});

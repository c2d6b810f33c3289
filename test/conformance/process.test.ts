import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { useService, weatherOf } from '../support/conformance.js';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { closed, raw } from '../support/raw-request.js';
import { startReplica } from '../support/service.js';
import { PATHS } from '../support/stand-in.js';

describe('signals', { concurrency: true }, () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`${signal} ends the process with code 0`, async () => {
      const service = await startReplica({ WEATHER_PROVIDERS: 'demo' });
      await ask(service.url + weatherOf('Seattle', 'USA'));
      service.kill(signal);
      assert.equal(await service.exited, 0);
      assert.deepEqual(service.noise, []);
      assert.equal(service.of('shutdown_complete').length, 1);
    });
  }

  it('while the process drains it is alive, not ready, and still serves', async () => {
    const service = await startReplica({
      WEATHER_PROVIDERS: 'demo',
      SHUTDOWN_DELAY_MS: '3000',
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
  });
});

describe('a request under way', () => {
  const fixture = useService();

  it('is answered before the process ends', async () => {
    const service = await fixture.replica({ SHUTDOWN_TIMEOUT_MS: '20000' });
    fixture.standIn.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 1500 });
    const under = ask(service.url + weatherOf('Oslo', 'Norway'));
    await eventually(() => fixture.standIn.count(PATHS.openMeteo) === 1, 'the fetch');
    service.kill('SIGTERM');
    const answer = await under;
    assert.equal(answer.status, 200);
    assert.equal(await service.exited, 0);
  });
});

describe('a slow client', { concurrency: true }, () => {
  const fixture = useService();

  it('that does not finish its headers is cut off with 408 after 15 s', async () => {
    const started = performance.now();
    const answer = await raw(fixture.url, 'GET /api/health HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const took = performance.now() - started;
    assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/);
    assert.match(answer, /\{"error":"Request timeout","message":"[^"]+"\}$/);
    assert.ok(took > 14_500, `${took} ms`);
  });

  it('that sends a byte now and then gets no more time', async () => {
    const { hostname, port } = new URL(fixture.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.write('GET /api/health HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const drip = setInterval(() => socket.write('x'), 500);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await once(socket, 'close');
    clearInterval(drip);
    assert.match(text, /^HTTP\/1\.1 408 /);
  });

  it('that does not finish its body is cut off with 408 after 30 s, and recorded', async () => {
    const started = performance.now();
    const answer = await raw(
      fixture.url,
      'POST /api/weather HTTP/1.1\r\nHost: x\r\nOrigin: https://a.example\r\n' +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"city":',
    );
    const took = performance.now() - started;
    assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/);
    assert.match(answer, /\r\nConnection: close\r\n/);
    assert.match(answer, /\r\nAccess-Control-Allow-Origin: https:\/\/a\.example\r\n/);
    assert.match(answer, /\{"error":"Request timeout","message":"[^"]+"\}$/);
    assert.ok(took > 29_500, `${took} ms`);
    const record = await fixture.service.waitFor('weather_request', (r) => r['status'] === 408);
    assert.equal(record.level, 'WARNING');
  });

  it('that is answered before its body is complete is cut off without a second answer', async () => {
    const started = performance.now();
    const { hostname, port } = new URL(fixture.url);
    const socket = connect(Number(port), hostname);
    socket.write('GET /api/health HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n');
    const drip = setInterval(() => socket.write('x'), 500);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await closed(socket);
    clearInterval(drip);
    assert.deepEqual(text.match(/HTTP\/1\.1 \d{3}/g), ['HTTP/1.1 200']);
    // After 30 s, as any body; Node by itself would wait for 50.
    assert.ok(performance.now() - started < 45_000);
  });

  it('does not hold up anybody else', async () => {
    for (let time = 0; time < 20; time += 1) {
      assert.equal((await ask(`${fixture.url}/api/health`)).status, 200);
      await sleep(100);
    }
  });

  it('that leaves before its answer leaves one record and no harm', async () => {
    fixture.standIn.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 500 });
    const { hostname, port } = new URL(fixture.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET ${weatherOf('Bergen', 'Norway')} HTTP/1.1\r\nHost: x\r\nX-Request-ID: left\r\n\r\n`,
    );
    await eventually(() => fixture.standIn.count(PATHS.openMeteo) === 1, 'the fetch');
    socket.destroy();
    const record = await fixture.service.waitFor(
      'weather_request',
      (r) => r['request_id'] === 'left',
    );
    assert.deepEqual([record.level, record['aborted']], ['INFO', true]);
    assert.equal(
      (await ask(fixture.url + weatherOf('Bergen', 'Norway'))).headers['x-cache'],
      'HIT',
    );
  });
});

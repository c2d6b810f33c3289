import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { useService, weatherOf } from '../support/conformance.js';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { closed, raw } from '../support/raw-request.js';
import { PATHS } from '../support/stub-provider.js';

const ORIGIN = 'https://app.example';
const BUNDLE = '/apidocs/assets/swagger-ui-bundle.js';

/** A request as it is sent on the wire. `lines` contain their line ends. */
function request(target: string, lines = '', method = 'GET'): string {
  return `${method} ${target} HTTP/1.1\r\nHost: x\r\n${lines}\r\n`;
}

function statuses(text: string): string[] {
  return text.match(/HTTP\/1\.1 \d{3}/g) ?? [];
}

async function connectTo(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const fixture = useService({ TRUST_PROXY: '1' });

describe('thousands of header lines', () => {
  it('do not hide the headers after them', async () => {
    const lines =
      'X-Forwarded-For: 203.0.113.1\r\n' +
      'a:b\r\n'.repeat(3000) +
      `X-Forwarded-For: 198.51.100.7\r\nX-Request-ID: behind\r\nOrigin: ${ORIGIN}\r\n` +
      'Connection: close\r\n';
    const answer = await raw(fixture.url, request(weatherOf('Seattle', 'USA'), lines));
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.match(answer, /\r\nAccess-Control-Allow-Origin: https:\/\/app\.example\r\n/);
    const record = await fixture.service.waitFor(
      'weather_request',
      ({ request_id }) => request_id === 'behind',
    );
    assert.equal(record['ip'], '198.51.100.7');
  });
});

describe('a request with chunks over HTTP/1.0', () => {
  it('is rejected, and its connection is closed', async () => {
    const head = 'POST /api/weather HTTP/1.0\r\nConnection: keep-alive\r\n';
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
    const answer = await raw(fixture.url, chunked, request('/api/health'));
    assert.deepEqual(statuses(answer), ['HTTP/1.1 400']);
    assert.match(answer, /\r\nConnection: close\r\n/);
  });
});

it('the connection of an incomplete request outlasts its response, even if the client asks to close it', async () => {
  const lines = 'Content-Type: application/json\r\nContent-Length: 20000\r\nConnection: close\r\n';
  const answer = await raw(fixture.url, request('/api/weather', lines, 'POST'));
  assert.match(answer, /^HTTP\/1\.1 413 /);
  // With `close`, Node.js would reset the connection while the client still sends.
  assert.match(answer, /\r\nConnection: keep-alive\r\n/);
});

describe('a client that resets or ends its connection', () => {
  it('before the response leaves one record, at INFO', async () => {
    fixture.stub.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 300 });
    const json = 'Content-Type: application/json\r\nContent-Length: 100\r\n';
    const post = (id: string) =>
      request('/api/weather', `X-Request-ID: ${id}\r\n${json}`, 'POST') + '{';
    for (const [id, text, end] of [
      ['get', request(weatherOf('Bergen', 'Norway'), 'X-Request-ID: get\r\n'), 'resetAndDestroy'],
      ['post', post('post'), 'resetAndDestroy'],
      ['ended', post('ended'), 'end'],
    ] as const) {
      const socket = await connectTo(fixture.url);
      socket.write(text);
      // The request was sent before this one, so the service has read it.
      await ask(`${fixture.url}/api/health`);
      socket[end]();
      const record = await fixture.service.waitFor(
        'weather_request',
        ({ request_id }) => request_id === id,
      );
      assert.deepEqual([record.level, record['aborted']], ['INFO', true]);
    }
    assert.deepEqual(fixture.service.of('response_failed'), []);
    assert.deepEqual(fixture.service.of('response_aborted'), []);
    assert.deepEqual(fixture.service.noise, []);
  });
});

it('a request that a shutdown cuts is logged before the end of the shutdown', async () => {
  const service = await fixture.replica({ SHUTDOWN_TIMEOUT_MS: '300' });
  fixture.stub.reset();
  fixture.stub.behave(PATHS.openMeteo, { kind: 'hang' });
  const cut = assert.rejects(ask(service.url + weatherOf('Tromsø', 'Norway')));
  await eventually(() => fixture.stub.count(PATHS.openMeteo) === 1, 'the call');
  service.kill('SIGTERM');
  await Promise.all([service.exited, cut]);
  const events = service.records.map(({ event }) => event);
  assert.equal(events.filter((event) => event === 'weather_request').length, 1);
  assert.equal(events.at(-1), 'shutdown_complete');
});

describe('a client that reads slowly', () => {
  const COUNT = 14;
  const fixture = useService({ REQUEST_TIMEOUT_MS: '500' });
  /** More responses than the system keeps for a client that does not read. */
  const requests = request(BUNDLE).repeat(COUNT - 1) + request(BUNDLE, 'Connection: close\r\n');

  it('and resets its connection within a response leaves a record at INFO', async () => {
    const socket = await connectTo(fixture.url);
    socket.write(requests);
    await once(socket, 'data');
    socket.resetAndDestroy();
    assert.equal((await fixture.service.waitFor('response_aborted')).level, 'INFO');
  });

  it('is disconnected if it reads nothing', async () => {
    const socket = await connectTo(fixture.url);
    socket.pause().write(requests);
    // Node.js checks twice, every 1.5 s, before it ends the connection. A busy machine is slower.
    await sleep(6000);
    let received = 0;
    socket.on('data', (bytes: Buffer) => (received += bytes.length)).resume();
    await closed(socket);
    const whole = (await ask(fixture.url + BUNDLE)).body.length;
    assert.ok(received < COUNT * whole, `${received} bytes`);
  });
});

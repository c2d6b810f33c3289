import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { useService, weatherOf } from '../support/conformance.js';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { closed, raw } from '../support/raw-request.js';
import { PATHS } from '../support/stand-in.js';

const ORIGIN = 'https://app.example';
const BUNDLE = '/apidocs/assets/swagger-ui-bundle.js';

/** A request as it goes over the wire. `lines` have their own line ends. */
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
  it('header lines: thousands hide none of those that follow', async () => {
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

describe('what a connection brings after a request', () => {
  it('what follows a request: it is answered after it, garbage too', async () => {
    fixture.standIn.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 300 });
    const answer = await raw(
      fixture.url,
      request(weatherOf('Oslo', 'Norway')) + request('/api/health') + 'nonsense\r\n\r\n',
      'and more nonsense\r\n\r\n'.repeat(20),
    );
    assert.deepEqual(fixture.service.noise, []);
    assert.deepEqual(statuses(answer), ['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400']);
    assert.match(answer, /"city":"Oslo"/);
    assert.match(answer, /\{"error":"Bad request","message":"The request is not valid HTTP"\}$/);
  });

  it('what follows a request: it has no answer when it belongs to a request that was answered before', async () => {
    const socket = await connectTo(fixture.url);
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.write(request('/api/health', 'Transfer-Encoding: chunked\r\n') + '1\r\nx\r\n');
    await once(socket, 'data');
    socket.write('zz\r\n');
    await closed(socket);
    assert.deepEqual(statuses(answer), ['HTTP/1.1 200']);
  });
});

describe('a body that breaks off in garbage', () => {
  // Asked for the limits, Redis takes a moment: the garbage is there before anybody waits for a body.
  const fixture = useService({ RATE_LIMIT_PER_IP: '1000' }, 'redis');

  it('garbage in a body: it is the fault of its own request', async () => {
    const lines =
      `Origin: ${ORIGIN}\r\nX-Request-ID: broken-body\r\n` +
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n';
    const chunk = '5\r\n{"cit\r\n';
    for (const pieces of [[`${chunk}zz\r\n`], [chunk, 'zz\r\n']]) {
      const socket = await connectTo(fixture.url);
      let answer = '';
      socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
      const before = fixture.service.of('weather_request').length;
      socket.write(request('/api/v1/weather', lines, 'POST') + (pieces[0] ?? ''));
      if (pieces[1] !== undefined) {
        // A later piece: the service waits for the body by then.
        await ask(`${fixture.url}/api/health`);
        socket.write(pieces[1]);
      }
      await closed(socket);
      assert.deepEqual(statuses(answer), ['HTTP/1.1 400']);
      assert.match(answer, /\r\nX-Request-ID: broken-body\r\n/);
      assert.match(answer, /\r\nAccess-Control-Allow-Origin: https:\/\/app\.example\r\n/);
      assert.match(answer, /"error":"Invalid request"/);
      await eventually(
        () => fixture.service.of('weather_request').length > before,
        'the record of the request',
      );
    }
    assert.equal(
      fixture.service
        .of('request_refused')
        .filter(({ reason }) => reason === 'HPE_INVALID_CHUNK_SIZE').length,
      0,
    );
  });
});

describe('what Node lets pass and HTTP does not', () => {
  const bare = (lines: string, version = '1.1') =>
    raw(
      fixture.url,
      `GET /api/v1/health/live HTTP/${version}\r\n${lines}Origin: ${ORIGIN}\r\n` +
        'X-Request-ID: mine\r\nConnection: close\r\n\r\n',
    );

  it('Host: a request without exactly one valid host is 400', async () => {
    for (const [lines, version] of [
      [''],
      ['Expect: miracles\r\n'],
      ['Host: a.example\r\nHost: b.example\r\n'],
      ['Host: a.example\r\nHost: a.example\r\n', '1.0'],
      ['Host: a b\r\n'],
      ['Host: a/b\r\n'],
      ['Host: user@a.example\r\n'],
      ['Host: a.example:port\r\n'],
      ['Host: [::1\r\n'],
      ['Host: <a>\r\n'],
      ['Host: %zz\r\n'],
    ] as [string, string?][]) {
      const answer = await bare(lines, version);
      assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/, lines);
      assert.match(answer, /\r\nX-Request-ID: mine\r\n/);
      assert.match(answer, /\r\nAccess-Control-Allow-Origin: https:\/\/app\.example\r\n/);
      assert.match(answer, /\{"error":"Bad request","message":"[^"]+"\}$/);
    }
  });

  it('Host: any valid one is accepted', async () => {
    for (const host of ['a.example', 'a_b:8080', '192.0.2.1', '[2001:db8::1]:80', '', 'm%C3%BC']) {
      assert.match(await bare(`Host: ${host}\r\n`), /^HTTP\/1\.1 200 /, host);
    }
  });

  it('CONNECT is answered, and ends the connection', async () => {
    const answer = await raw(
      fixture.url,
      'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n',
    );
    assert.match(answer, /^HTTP\/1\.1 405 Method Not Allowed\r\n/);
    assert.match(answer, /\r\nAllow: GET, HEAD, POST, DELETE, OPTIONS\r\n/);
    assert.match(answer, /\r\nConnection: close\r\n/);
    assert.match(answer, /\{"error":"Method not allowed","message":"[^"]+"\}$/);
  });

  it('CONNECT behind requests that are not answered yet is answered after them', async () => {
    fixture.standIn.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 300 });
    const slow = request(weatherOf('Porto', 'Portugal'));
    const tunnel = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';
    for (const [before, expected] of [
      [slow, ['HTTP/1.1 200', 'HTTP/1.1 405']],
      [request('/') + request(BUNDLE), ['HTTP/1.1 404', 'HTTP/1.1 200', 'HTTP/1.1 405']],
      [tunnel, ['HTTP/1.1 405']],
      ['GET / HTTP/1.0\r\n\r\n', ['HTTP/1.1 404']],
    ] as const) {
      // In one piece: all of it is there before the first answer.
      assert.deepEqual(statuses(await raw(fixture.url, before + tunnel)), expected);
    }
    assert.deepEqual([fixture.service.child.exitCode, fixture.service.noise], [null, []]);
  });

  it('chunks over HTTP/1.0 end the connection', async () => {
    const head = 'POST /api/weather HTTP/1.0\r\nConnection: keep-alive\r\n';
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
    const answer = await raw(fixture.url, chunked, request('/api/health'));
    assert.deepEqual(statuses(answer), ['HTTP/1.1 400']);
    assert.match(answer, /\r\nConnection: close\r\n/);
  });

  it('a target in raw UTF-8 is refused with a hint', async () => {
    const target = Buffer.from('/api/weather?city=München&country=Germany').toString('latin1');
    const answer = await raw(fixture.url, request(target));
    assert.match(answer, /^HTTP\/1\.1 400 [^]*must be percent-encoded/);
  });
});

describe('a client that resets its connection', () => {
  it('reset: before the answer it leaves one record, at INFO', async () => {
    fixture.standIn.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 300 });
    const json = 'Content-Type: application/json\r\nContent-Length: 100\r\n';
    for (const [id, text] of [
      ['reset-get', request(weatherOf('Bergen', 'Norway'), 'X-Request-ID: reset-get\r\n')],
      ['reset-post', request('/api/weather', `X-Request-ID: reset-post\r\n${json}`, 'POST') + '{'],
    ] as const) {
      const socket = await connectTo(fixture.url);
      socket.write(text);
      // By then the request is under way: what is sent first is read first.
      await ask(`${fixture.url}/api/health`);
      socket.resetAndDestroy();
      const record = await fixture.service.waitFor(
        'weather_request',
        ({ request_id }) => request_id === id,
      );
      assert.deepEqual([record.level, record['aborted']], ['INFO', true]);
    }
    assert.deepEqual(fixture.service.of('response_failed'), []);
    assert.deepEqual(fixture.service.of('response_aborted'), []);
  });

  it('reset: in the middle of an answer it is told at INFO, with the id of the request', async () => {
    const socket = await connectTo(fixture.url);
    socket.pause();
    // More than the system keeps for a client that does not read.
    for (let i = 0; i < 30; i += 1) socket.write(request(BUNDLE, `X-Request-ID: reset-${i}\r\n`));
    await eventually(
      () => fixture.service.of('request').some(({ request_id }) => request_id === 'reset-0'),
      'the first answer',
    );
    socket.resetAndDestroy();
    const record = await fixture.service.waitFor('response_aborted');
    assert.equal(record.level, 'INFO');
    assert.match(String(record['reason']), /^(ECONNRESET|EPIPE)$/);
    assert.match(String(record['request_id']), /^reset-\d+$/);
    assert.deepEqual(fixture.service.of('response_failed'), []);
  });
});

describe('a client that never reads', () => {
  const fixture = useService({ REQUEST_TIMEOUT_MS: '1500' });

  it('client that never reads: it is cut off when the time of a request is over', async () => {
    const socket = await connectTo(fixture.url);
    socket.pause();
    for (let i = 0; i < 30; i += 1) socket.write(request(BUNDLE, `X-Request-ID: unread-${i}\r\n`));
    const record = await fixture.service.waitFor('response_aborted');
    assert.deepEqual([record.level, record['reason']], ['INFO', 'not_read']);
    let received = 0;
    socket.on('data', (bytes: Buffer) => (received += bytes.length)).resume();
    await closed(socket);
    const whole = (await ask(fixture.url + BUNDLE)).body.length;
    assert.ok(received < 30 * whole, `${received} bytes`);
  });
});

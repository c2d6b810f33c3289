import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config/config.js';
import { createHttpServer, type ReceiveTimes } from '../../src/http/http-server.js';
import { createRequestQueue } from '../../src/http/request-queue.js';
import { listen } from '../../src/process/listen.js';
import { systemClock as clock } from '../../src/process/clock.js';
import { createLifecycle } from '../../src/process/lifecycle.js';
import { createServices } from '../../src/services.js';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { closed, raw } from '../support/raw-request.js';
import { recordingLog } from '../support/records.js';

const LONG_MS = 600_000;
/** As pino numbers the level. */
const WARNING = 40;

/** The whole API in this process, on a real socket, with other times for clients than in production. */
async function startApi(t: TestContext, receive: ReceiveTimes) {
  const { log, records } = recordingLog();
  const config = loadConfig({ WEATHER_PROVIDERS: 'demo' });
  const lifecycle = createLifecycle({ log, delayMs: 0, timeoutMs: 0 });
  const services = await createServices({ config, log, clock, lifecycle });
  const { bodyMs } = receive;
  const parts = { config, services, log, clock, lifecycle, bodyMs };
  const handle = createApp({
    ...parts,
    sessionKeys: ['a key of 32 characters and more…'],
    isLate: () => false,
  }).callback();
  const server = createHttpServer((request, response) => void handle(request, response), {
    idleTimeoutMs: LONG_MS,
    receive,
    queue: createRequestQueue(),
  });
  const port = await listen(server, { host: '127.0.0.1', port: 0, variable: 'PORT' }, log);
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${port}`, port, records };
}

/** Starts a separate server on a free port, which calls a handler for each request. */
async function startServer(t: TestContext, handler: RequestListener) {
  const server = createHttpServer(handler, {
    idleTimeoutMs: LONG_MS,
    receive: { headersMs: LONG_MS, bodyMs: LONG_MS },
    queue: createRequestQueue(),
  });
  const where = { host: '127.0.0.1', port: 0, variable: 'PORT' } as const;
  const port = await listen(server, where, recordingLog().log);
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { server, port };
}

it('the server starts a few requests per event loop iteration, so that it accepts connections meanwhile', async (t) => {
  const CLIENTS = 200;
  let handled = 0;
  let inIteration = 0;
  let most = 0;
  const { server, port } = await startServer(t, (_request, response) => {
    handled += 1;
    inIteration += 1;
    most = Math.max(most, inIteration);
    response.end();
  });
  const sockets = Array.from({ length: CLIENTS }, () => connect(port, '127.0.0.1'));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const connections = promisify(server.getConnections.bind(server));
  await eventually(async () => (await connections()) === CLIENTS, 'all connections');
  for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  while (handled < CLIENTS) {
    await new Promise(setImmediate);
    inIteration = 0;
  }
  assert.ok(most <= 64, `${most} requests`);
});

it('the server begins a probe before requests that were received earlier', async (t) => {
  const begun: (string | undefined)[] = [];
  const { port } = await startServer(t, (request, response) => {
    begun.push(request.url);
    response.end();
  });
  const socket = connect(port, '127.0.0.1').resume();
  t.after(() => socket.destroy());
  const paths = [
    '/api/v1/weather',
    '/api/v1/health',
    '/api/v1/health/live',
    '/api/v1/health/ready',
  ];
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  await eventually(() => begun.length === paths.length, 'all requests');
  assert.deepEqual(begun, [...paths.slice(2), ...paths.slice(0, 2)]);
});

/** Sends the beginning of a request, then single bytes until the connection closes. @returns the response */
async function drip(port: number, beginning: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  socket.write(beginning);
  const timer = setInterval(() => socket.writable && socket.write('x'), 50);
  await closed(socket);
  clearInterval(timer);
  return answer;
}

const SLOW_HEADERS = 'GET /api/health HTTP/1.1\r\nHost: x\r\nX-Slow: ';
const SLOW_BODY =
  'POST /api/weather HTTP/1.1\r\nHost: x\r\nOrigin: https://a.example\r\n' +
  'Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"city":"';

describe('a slow client', { concurrency: true, timeout: 30_000 }, () => {
  it('gets 408 if its headers are not complete in time, however it sends them', async (t) => {
    const { url, port } = await startApi(t, { headersMs: 400, bodyMs: LONG_MS });
    const started = performance.now();
    const answers = await Promise.all([raw(url, SLOW_HEADERS), drip(port, SLOW_HEADERS)]);
    assert.ok(performance.now() - started >= 400);
    for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  it('gets 408 if its body is not complete in time, with a record', async (t) => {
    const { url, records } = await startApi(t, { headersMs: LONG_MS, bodyMs: 400 });
    const started = performance.now();
    const answer = await raw(url, SLOW_BODY);
    assert.ok(performance.now() - started >= 390);
    assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/);
    assert.match(answer, /\r\nConnection: close\r\n/);
    assert.match(answer, /\r\nAccess-Control-Allow-Origin: https:\/\/a\.example\r\n/);
    assert.match(answer, /"message":"The request body was not received in time"\}$/);
    const record = () => records.find(({ event }) => event === 'weather_request');
    await eventually(() => record() !== undefined, 'the record of the request');
    assert.deepEqual([record()?.['status'], record()?.['level']], [408, WARNING]);
  });

  it('gets no additional time for single bytes of its body', async (t) => {
    const { port } = await startApi(t, { headersMs: LONG_MS, bodyMs: 400 });
    assert.match(await drip(port, SLOW_BODY), /^HTTP\/1\.1 408 /);
  });

  it('does not delay other clients, however many are slow', async (t) => {
    const { url, port } = await startApi(t, { headersMs: 1000, bodyMs: 1000 });
    const slow = Array.from({ length: 40 }, (_, n) => drip(port, n % 2 ? SLOW_HEADERS : SLOW_BODY));
    let open = slow.length;
    for (const one of slow) void one.then(() => (open -= 1));
    const statuses: number[] = [];
    while (open > 0) statuses.push((await ask(`${url}/api/v1/health/live`)).status);
    assert.ok(statuses.length >= 10, `only ${statuses.length} answers meanwhile`);
    assert.deepEqual(new Set(statuses), new Set([200]));
    for (const answer of await Promise.all(slow)) assert.match(answer, /^HTTP\/1\.1 408 /);
  });
});

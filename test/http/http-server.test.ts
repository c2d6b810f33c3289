import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { it, type TestContext } from 'node:test';
import { text as textOf } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { createApp } from '../../src/app.js';
import { createHttpServer } from '../../src/http/http-server.js';
import { BODY_MS } from '../../src/http/input/json-body.js';
import { appParts } from '../support/app-parts.js';
import { block } from '../support/block.js';
import { eventually } from '../support/eventually.js';
import { listenLocally } from '../support/listen-locally.js';
import { rowsOf } from '../support/markdown.js';
import { closed, raw } from '../support/raw-request.js';

const LONG_MS = 600_000;
/** As pino numbers the level. */
const WARNING = 40;

/** Gives clients other times than in production: a busy machine takes long. */
function giveTime(server: Server, headersTimeout = LONG_MS): Server {
  return Object.assign(server, { headersTimeout, requestTimeout: LONG_MS });
}

/** The whole API in this process, on a real socket, with other header times than in production. */
async function startApi(t: TestContext, headersMs = LONG_MS) {
  const { records, ...parts } = await appParts({ WEATHER_PROVIDERS: 'demo' });
  const handle = createApp(parts).callback();
  const { server } = createHttpServer(
    (request, response) => void handle(request, response),
    LONG_MS,
  );
  return { url: await listenLocally(t, giveTime(server, headersMs)), records };
}

it('the server has the times that docs/clients.md lists, and reserves file descriptors', () => {
  const { server } = createHttpServer(() => undefined, 1);
  const clients = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');
  const [, table = ''] = clients.split('These times limit a request and its connection:');
  const listed = rowsOf(table.split('\n## ')[0] ?? '').map(([, seconds]) => Number(seconds));
  const times = [server.headersTimeout, BODY_MS, server.keepAliveTimeout];
  assert.deepEqual(
    times.map((ms) => ms / 1000),
    listed,
  );
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files: { soft: number } };
  };
  const limit = process.platform === 'linux' ? userLimits?.open_files.soft : Infinity;
  assert.equal(server.maxConnections, Number(limit) - 64);
});

it('the server begins a probe before requests that were received earlier', async (t) => {
  const begun: (string | undefined)[] = [];
  const { server } = createHttpServer((request, response) => {
    begun.push(request.url);
    response.end();
  }, LONG_MS);
  const { port } = new URL(await listenLocally(t, giveTime(server)));
  const socket = connect(Number(port), '127.0.0.1').resume();
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

it('the server does not close a connection whose request waits to begin', async (t) => {
  const { server } = createHttpServer((_, response) => {
    block(5);
    response.end('a response');
  }, 1200);
  let accepted = 0;
  server.on('connection', () => accepted++);
  const { port } = new URL(await listenLocally(t, giveTime(server)));
  const sockets = Array.from({ length: 400 }, () => connect(Number(port), '127.0.0.1'));
  await eventually(() => accepted === sockets.length, 'all connections');
  // At most 64 requests begin in one event loop iteration. The last ones wait longer than the time.
  const responses = await Promise.all(
    sockets.map((socket) => {
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      return textOf(socket);
    }),
  );
  assert.deepEqual(
    responses.filter((response) => !response.endsWith('\r\n\r\na response')),
    [],
  );
});

it('the server closes a connection that makes no progress after its request has begun', async (t) => {
  const { server } = createHttpServer(() => undefined, 300);
  const url = await listenLocally(t, giveTime(server));
  assert.equal(await raw(url, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'), '');
});

/** Sends a beginning, then single bytes until the connection closes. @returns the response */
async function drip(url: string, beginning: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
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

it('a client gets 408 if its headers are not complete in time, however it sends them', async (t) => {
  const { url } = await startApi(t, 400);
  const started = performance.now();
  const answers = await Promise.all([raw(url, SLOW_HEADERS), drip(url, SLOW_HEADERS)]);
  assert.ok(performance.now() - started >= 400);
  for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/);
});

it('a client gets 408 if its body is not complete in time, with a record', async (t) => {
  const { url, records } = await startApi(t);
  const { mock: timers } = t.mock.method(globalThis, 'setTimeout', () => undefined);
  const received = raw(url, SLOW_BODY);
  for (let n = 0; timers.callCount() === 0 && n < 1e6; n += 1) await turn();
  timers.restore();
  const [endTime, ms] = timers.calls[0]?.arguments as [() => void, number];
  assert.equal(ms, BODY_MS);
  endTime();
  const answer = await received;
  assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/);
  assert.match(answer, /\r\nConnection: close\r\n/);
  assert.match(answer, /\r\nAccess-Control-Allow-Origin: https:\/\/a\.example\r\n/);
  assert.match(answer, /"message":"The request body was not received in time"\}\n$/);
  const record = () => records.find(({ event }) => event === 'weather_request');
  await eventually(() => record() !== undefined, 'the record of the request');
  assert.deepEqual([record()?.['status'], record()?.['level']], [408, WARNING]);
});

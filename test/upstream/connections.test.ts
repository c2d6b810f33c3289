import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { lookup } from 'node:dns';
import { spawn } from 'node:child_process';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
} from 'node:http';
import { createServer, get } from 'node:https';
import { connect, type LookupFunction, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnections } from '../../src/upstream/connections.js';
import { makeCertificate } from '../support/certificate.js';
import { eventually } from '../support/eventually.js';
import { listenLocally } from '../support/listen-locally.js';
import { client, closeAfterEach, failure, listen, request } from './client-under-test.js';

closeAfterEach();

type End = (socket: Socket) => void;

const ENDINGS: [string, End][] = [
  ['end (FIN)', (socket) => socket.end()],
  ['reset (RST)', (socket) => socket.resetAndDestroy()],
];

/**
 * Ends some connections instead of responding.
 * @param endOf how the request with this number, on its connection and in total, ends its
 *   connection; undefined: it gets a response
 */
function endingServer(endOf: (onConnection: number, inTotal: number) => End | undefined) {
  const perConnection = new Map<Socket, number>();
  const log: number[] = [];
  const handler: RequestListener = ({ socket }, response) => {
    const onConnection = (perConnection.get(socket) ?? 0) + 1;
    perConnection.set(socket, onConnection);
    log.push(onConnection);
    const end = endOf(onConnection, log.length);
    if (end) end(socket);
    else response.end('{"value":1}');
  };
  /** `log`: for each request, its number on its connection. */
  return { handler, log };
}

/** A server that accepts connections late: its process is stopped, and its queue is full. */
async function startDistantServer(
  t: TestContext,
  afterMs: number,
  host = '127.0.0.1',
  atPort = '0',
): Promise<URL> {
  const code = `require('node:http')
    .createServer((_request, response) => response.end('{"value":1}'))
    .listen({ port: ${atPort}, host: '${host}', backlog: 1 }, function () { console.log(this.address().port); });`;
  const server = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => server.kill('SIGKILL'));
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  server.kill('SIGSTOP');
  const port = Number(line);
  const waiting = Array.from({ length: 8 }, () => connect(port, host).on('error', () => undefined));
  t.after(() => {
    for (const socket of waiting) socket.destroy();
  });
  await sleep(100);
  assert.ok(waiting.some(({ connecting }) => connecting));
  void sleep(afterMs, undefined, { ref: false }).then(() => server.kill('SIGCONT'));
  return new URL(`http://distant.example:${port}`);
}

describe('a connection that the server ends before the first byte', () => {
  for (const [how, end] of ENDINGS) {
    it(`costs no call if it was used before: the call is sent over a new one (${how})`, async () => {
      const { handler, log } = endingServer((onConnection) => (onConnection > 1 ? end : undefined));
      const { url } = await listen(handler);
      const calls = client();
      for (let n = 0; n < 3; n += 1) {
        assert.deepEqual((await calls.getJson(request(url))).body, { value: 1 });
      }
      assert.deepEqual(log, [1, 2, 1, 1]);
    });

    it(`fails the call if it is new (${how})`, async () => {
      const { handler, log } = endingServer(() => end);
      const { url } = await listen(handler);
      const error = await failure(client().getJson(request(url)));
      assert.equal(error.kind, 'unavailable');
      assert.deepEqual(log, [1]);
    });

    it(`fails the call at the second time (${how})`, async () => {
      const { handler, log } = endingServer((_onConnection, inTotal) =>
        inTotal > 1 ? end : undefined,
      );
      const { url } = await listen(handler);
      const calls = client();
      await calls.getJson(request(url));
      assert.equal((await failure(calls.getJson(request(url)))).kind, 'unavailable');
      assert.deepEqual(log, [1, 2, 1]);
    });
  }

  it('costs no call if other idle connections have ended, too', async () => {
    const { handler, log } = endingServer((onConnection) =>
      onConnection > 1 ? (socket) => socket.end() : undefined,
    );
    const { url } = await listen(handler);
    const calls = client();
    await Promise.all([calls.getJson(request(url)), calls.getJson(request(url))]);
    assert.deepEqual((await calls.getJson(request(url))).body, { value: 1 });
    assert.deepEqual(log, [1, 1, 2, 1]);
  });

  it('costs no call over TLS', async (t) => {
    const { key, cert } = await makeCertificate(t);
    let latest: Socket | undefined;
    const endings: End[] = [
      (socket) => socket.end(),
      (socket) => socket.destroy(),
      () => latest?.resetAndDestroy(),
    ];
    const { handler, log } = endingServer((onConnection) =>
      onConnection > 1 ? endings.shift() : undefined,
    );
    const ca = await readFile(cert);
    const server = createServer({ key: await readFile(key), cert: ca }, handler);
    server.on('connection', (socket: Socket) => (latest = socket));
    const url = new URL((await listenLocally(t, server)).replace('http', 'https'));
    const connections = createConnections({ lookup, timeoutMs: 20_000 });
    t.after(() => {
      connections.close();
    });
    const read = async () => {
      const [response] = (await connections.send((agent) =>
        once(get(url, { agent: agent(url), ca }), 'response'),
      )) as [IncomingMessage];
      await once(response.resume(), 'end');
    };
    for (let n = 0; n < 6; n += 1) await read();
    assert.deepEqual(log, [1, 2, 1, 1, 2, 1, 1, 2, 1]);
  });
});

describe('a connection attempt', () => {
  it('to one of several addresses may take as long as a distant host needs', async (t) => {
    const distant = await startDistantServer(t, 1000);
    const addresses = [
      { address: '127.0.0.1', family: 4 },
      // No server listens there.
      { address: '127.0.0.2', family: 4 },
    ];
    const several: LookupFunction = (_name, _options, callback) => {
      callback(null, addresses);
    };
    const calls = client({ lookup: several });
    assert.deepEqual((await calls.getJson(request(distant))).body, { value: 1 });
  });

  it('leaves time for the third address if the first two do not answer', async (t) => {
    const silent = await startDistantServer(t, 60_000);
    const server = createHttpServer((_request, response) => response.end('{"value":1}'));
    server.listen(Number(silent.port), '127.0.0.2');
    await once(server, 'listening');
    t.after(() => server.close());
    await startDistantServer(t, 60_000, '127.0.0.3', silent.port);
    const hosts = ['127.0.0.1', '127.0.0.3', '127.0.0.2'];
    const addresses = hosts.map((address) => ({ address, family: 4 }));
    const lookup: LookupFunction = (_name, _options, callback) => {
      callback(null, addresses);
    };
    assert.deepEqual((await client({ lookup, timeoutMs: 7000 }).getJson(request(silent))).body, {
      value: 1,
    });
  });
});

describe('a call over a connection that was used before', () => {
  it('leaves no listeners at the connection', async (t) => {
    const warnings: string[] = [];
    const warn = ({ message }: Error) => void warnings.push(message);
    process.on('warning', warn);
    t.after(() => process.off('warning', warn));
    const { handler, log } = endingServer(() => undefined);
    const { url } = await listen(handler);
    const calls = client();
    // Node.js warns of the eleventh listener.
    for (let n = 0; n < 12; n += 1) await calls.getJson(request(url));
    assert.equal(log.at(-1), 12);
    assert.deepEqual(warnings, []);
  });

  it('is not repeated after the first byte of the response', async () => {
    const { handler, log } = endingServer((onConnection) =>
      onConnection > 1 ? (socket) => socket.end('H') : undefined,
    );
    const { url } = await listen(handler);
    const calls = client();
    await calls.getJson(request(url));
    assert.equal((await failure(calls.getJson(request(url)))).kind, 'unavailable');
    assert.deepEqual(log, [1, 2]);
  });

  it('is not repeated after its time limit, or if its caller aborts it', async () => {
    const { handler, log } = endingServer((onConnection) =>
      onConnection > 1 ? () => undefined : undefined,
    );
    const { url } = await listen(handler);
    const calls = client({ timeoutMs: 1500 });
    await calls.getJson(request(url));
    assert.match((await failure(calls.getJson(request(url)))).message, /within 1500 ms/);
    await calls.getJson(request(url));
    const controller = new AbortController();
    const aborted = calls.getJson(request(url, { signal: controller.signal }));
    await eventually(() => log.length === 4, 'the call');
    controller.abort(new Error('no longer wanted'));
    await assert.rejects(aborted, { message: 'no longer wanted' });
    assert.deepEqual(log, [1, 2, 1, 2]);
  });

  it('is repeated within the time limit of the call', async () => {
    const { handler, log } = endingServer((_onConnection, inTotal) => {
      if (inTotal === 2) return (socket) => socket.end();
      return inTotal === 3 ? () => undefined : undefined;
    });
    const { url } = await listen(handler);
    const calls = client({ timeoutMs: 1500 });
    await calls.getJson(request(url));
    assert.match((await failure(calls.getJson(request(url)))).message, /within 1500 ms/);
    assert.deepEqual(log, [1, 2, 1]);
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBoundedServer } from '../../src/process/bounded-server.js';
import { block } from '../support/block.js';
import { eventually, nextIteration } from '../support/eventually.js';
import { listenLocally } from '../support/listen-locally.js';
import { closed } from '../support/raw-request.js';

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\n';
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;
const CHUNK = '1\r\nx\r\n';
const END = '0\r\n\r\n';
const LONG_MS = 600_000;
const NEXT = 'GET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

/** A server that responds with the target, and does not read bodies, and a client of it. */
async function start(t: TestContext) {
  const { server } = createBoundedServer(
    (request, response) => {
      // As the queue of requests does. Meanwhile, Node.js parses what it has read.
      setImmediate(() => response.end(request.url));
    },
    { maxConnections: 100, keepAliveTimeout: LONG_MS },
  );
  let bytesRead = 0;
  server.on('connection', (socket) => {
    socket.once('close', () => (bytesRead = socket.bytesRead));
  });
  const { port } = new URL(await listenLocally(t, server));
  const socket = connect(Number(port), '127.0.0.1').setEncoding('latin1');
  t.after(() => socket.destroy());
  const client = { socket, received: '', closed: closed(socket) };
  socket.on('data', (text: string) => (client.received += text));
  await once(socket, 'connect');
  return { client, bytesRead: () => bytesRead };
}

const isAnswered = ({ received }: { received: string }) => received.endsWith('\r\n\r\n/');

describe('a body that the handler does not read', () => {
  it('may arrive after the response, and the next request is answered', async (t) => {
    for (const [beginning, ...rest] of [
      [`${HEAD}Content-Length: 3\r\n\r\n`, 'a', 'bc'],
      [CHUNKED, CHUNK.repeat(200), CHUNK + END],
    ] as const) {
      const { client } = await start(t);
      client.socket.write(beginning);
      await eventually(() => isAnswered(client), 'the response');
      for (const piece of rest) client.socket.write(piece);
      // Longer than the time for the rest.
      await sleep(1500);
      client.socket.write(NEXT);
      await client.closed;
      assert.match(client.received, /\r\n\r\n\/next$/);
    }
  });

  it('that arrived in time counts, even if this process was busy', async (t) => {
    const { client } = await start(t);
    client.socket.write(`${HEAD}Content-Length: 1\r\n\r\n`);
    await eventually(() => isAnswered(client), 'the response');
    // Timers run next, before Node.js reads sockets again.
    await nextIteration();
    client.socket.write(`x${NEXT}`);
    block(1200);
    await client.closed;
    assert.match(client.received, /\r\n\r\n\/next$/);
  });

  for (const [name, piece, longest] of [
    ['in chunks of one byte', CHUNK.repeat(10_000), 200_000],
    ['in one chunk without an end', `10000000\r\n${'x'.repeat(64 * 1024)}`, 300_000],
    ['with extensions of its chunks', `1;${'a'.repeat(1000)}\r\nx\r\n`.repeat(60), 200_000],
    ['with trailers without an end', `0\r\n${'a:b\r\n'.repeat(10_000)}`, 200_000],
    ['that stops', '', 200],
  ] as const) {
    it(`${name} is received in part: the connection ends, after the response`, async (t) => {
      const { client, bytesRead } = await start(t);
      client.socket.write(CHUNKED);
      await eventually(() => isAnswered(client), 'the response');
      for (let count = 0; count < 100; count += 1) client.socket.write(piece);
      await client.closed;
      await eventually(() => bytesRead() > 0, 'the end of the connection');
      assert.ok(bytesRead() <= longest, String(bytesRead()));
    });
  }

  for (const length of [1, 100]) {
    it(`in chunks of ${length} before the response is received in part, too`, async (t) => {
      const { client, bytesRead } = await start(t);
      const chunk = `${length.toString(16)}\r\n${'x'.repeat(length)}\r\n`;
      client.socket.write(CHUNKED + chunk.repeat(10_000));
      await client.closed;
      assert.ok(isAnswered(client), client.received);
      await eventually(() => bytesRead() > 0, 'the end of the connection');
      assert.ok(bytesRead() <= 200_000, String(bytesRead()));
    });
  }
});

describe('a request to upgrade', () => {
  it('is answered like any other, and ends the connection', async (t) => {
    const { client } = await start(t);
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    client.socket.write(`GET /first HTTP/1.1\r\nHost: x\r\n${upgrade}${NEXT}`);
    await client.closed;
    assert.match(client.received, /\r\nConnection: close\r\n.*\r\n\r\n\/first$/s);
  });
});

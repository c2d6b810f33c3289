import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { eventually } from '../support/eventually.js';
import { startReplica } from '../support/service.js';

const COUNT = 10;

/** A client that never closes its side: it answers the server's end with silence. */
function openAndSend(url: string, text: string): { socket: Socket; answered: () => boolean } {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  let received = '';
  socket.on('error', () => undefined);
  socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk));
  socket.write(text);
  return { socket, answered: () => received.startsWith('HTTP/1.1 ') };
}

const CASES: [what: string, request: string][] = [
  ['CONNECT', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n'],
  [
    'an upgrade',
    'GET /api/health HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  ],
  [
    'an unknown expectation',
    'GET /api/health HTTP/1.1\r\nHost: a\r\nExpect: the-unexpected\r\n\r\n',
  ],
];

describe('sockets that clients hold open after the answer', { concurrency: true }, () => {
  for (const [what, request] of CASES) {
    it(`to ${what}: SIGTERM ends the process in its time`, async (t) => {
      const replica = await startReplica({ SHUTDOWN_TIMEOUT_MS: '1500', SHUTDOWN_DELAY_MS: '0' });
      t.after(() => replica.stop());
      const clients = Array.from({ length: COUNT }, () => openAndSend(replica.url, request));
      t.after(() => {
        for (const { socket } of clients) socket.destroy();
      });
      await eventually(() => clients.every(({ answered }) => answered()), `answers to ${what}`);
      replica.kill('SIGTERM');
      await replica.waitFor('shutdown_complete', undefined, 10_000);
      assert.equal(await replica.exited, 0);
    });
  }

  it('to CONNECT: the server keeps none of them', async (t) => {
    const replica = await startReplica();
    t.after(() => replica.stop());
    const clients = Array.from({ length: COUNT }, () => openAndSend(replica.url, CASES[0]![1]));
    t.after(() => {
      for (const { socket } of clients) socket.destroy();
    });
    await eventually(() => clients.every(({ answered }) => answered()), 'answers');
    // What is sent over a destroyed socket is answered by a reset.
    await eventually(() => {
      for (const { socket } of clients) if (!socket.destroyed) socket.write('x');
      return clients.every(({ socket }) => socket.destroyed);
    }, 'a reset of each connection');
  });
});

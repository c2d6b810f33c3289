import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { Redis } from 'ioredis';
import { connect } from '../../../src/redis/client/connection.js';

const TLS_HANDSHAKE = 0x16;

/** A listener that reads the first bytes of one connection and answers nothing. */
async function listener(t: TestContext) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const firstBytes = once(server, 'connection').then(async ([socket]: Socket[]) => {
    const [bytes] = (await once(socket!, 'data')) as [Buffer];
    return bytes;
  });
  return { port: (server.address() as AddressInfo).port, firstBytes };
}

describe('a rediss:// address beside sentinels', () => {
  it('speaks TLS with the sentinels: no password goes out in clear', async (t) => {
    const { port, firstBytes } = await listener(t);
    const client = connect(
      {
        kind: 'sentinel',
        sentinels: [{ host: '127.0.0.1', port }],
        master: 'master',
        url: 'rediss://user:secret@ignored/3',
      },
      'requests',
    );
    t.after(() => {
      client.disconnect();
    });
    assert.equal((await firstBytes)[0], TLS_HANDSHAKE);
    assert.ok(client instanceof Redis);
    assert.equal(client.options.enableTLSForSentinelMode, true);
    assert.equal(client.options.db, 3);
  });
});

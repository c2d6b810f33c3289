import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { limitUnanswered } from '../../src/process/unanswered.js';
import { eventually } from '../support/eventually.js';
import { closed } from '../support/raw-request.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
/** Requests per chunk. */
const BATCH = 20;

/** A server that collects its responses, and a client of it. */
async function start(t: TestContext) {
  const responses: ServerResponse[] = [];
  const server = http.createServer(
    limitUnanswered((_request, response) => void responses.push(response)),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  t.after(() => {
    socket.destroy();
    server.close();
    server.closeAllConnections();
  });
  return { responses, socket };
}

/** Sends requests in chunks. Pauses between them, so that the server reads each chunk separately. */
async function send(socket: { write: (text: string) => void }, chunks: number): Promise<void> {
  for (let n = 0; n < chunks; n += 1) {
    socket.write(REQUEST.repeat(BATCH));
    await sleep(20);
  }
}

describe('the unanswered requests of a connection', () => {
  it('stop the reading of further requests at 32', async (t) => {
    const { responses, socket } = await start(t);
    let received = '';
    socket.on('data', (text: string) => (received += text));
    await send(socket, 10);
    await sleep(100);
    assert.ok(responses.length >= 32 && responses.length < 32 + BATCH, String(responses.length));
    // In the end, all requests get their responses, in order.
    let answered = 0;
    await eventually(() => {
      while (responses.length > 0) responses.shift()?.end(`number ${answered++};`);
      return answered === 10 * BATCH;
    }, 'all requests');
    await eventually(() => received.includes(`number ${answered - 1};`), 'the last response');
    const numbers = [...received.matchAll(/number (\d+);/g)].map(([, number]) => Number(number));
    assert.deepEqual(
      numbers,
      Array.from({ length: answered }, (_, n) => n),
    );
  });

  it('end the connection if one chunk has several hundred', async (t) => {
    const { responses, socket } = await start(t);
    const disconnected = closed(socket);
    socket.write(REQUEST.repeat(1000));
    await disconnected;
    assert.ok(responses.length > 100 && responses.length < 300, String(responses.length));
  });
});

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

describe('the unanswered requests of a connection', () => {
  it('stop the reading of further requests at 32, until 16 are left', async (t) => {
    const { responses, socket } = await start(t);
    let received = '';
    socket.on('data', (text: string) => (received += text));
    for (let count = 1; count <= 32; count += 1) {
      socket.write(REQUEST);
      await eventually(() => responses.length === count, `request ${count}`);
    }
    socket.write(REQUEST.repeat(10));
    await sleep(100);
    assert.equal(responses.length, 32);
    let answered = 0;
    const answer = () => responses.shift()?.end(`number ${answered++};`);
    while (answered < 15) answer();
    await sleep(100);
    assert.equal(responses.length, 17);
    answer();
    await eventually(() => responses.length === 26, 'the other requests');
    // In the end, all requests get their responses, in order.
    while (responses.length > 0) answer();
    await eventually(() => received.includes(`number ${answered - 1};`), 'the last response');
    const numbers = [...received.matchAll(/number (\d+);/g)].map(([, number]) => Number(number));
    assert.deepEqual(
      numbers,
      Array.from({ length: answered }, (_, n) => n),
    );
  });

  it('end the connection if one chunk has 256', async (t) => {
    const { responses, socket } = await start(t);
    const disconnected = closed(socket);
    socket.write(REQUEST.repeat(1000));
    await disconnected;
    assert.equal(responses.length, 255);
  });
});

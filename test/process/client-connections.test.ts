import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBoundedServer } from '../../src/process/bounded-server.js';
import { eventually } from '../support/eventually.js';
import { listenLocally } from '../support/listen-locally.js';
import { closed } from '../support/raw-request.js';

const LONG_MS = 600_000;
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
/** A server that collects its responses, and clients of it. */
async function startServer(t: TestContext, maxConnections = 100) {
  const responses: ServerResponse[] = [];
  const bounded = createBoundedServer((_request, response) => void responses.push(response), {
    maxConnections,
    keepAliveTimeout: LONG_MS,
  });
  const { port } = new URL(await listenLocally(t, bounded.server));
  /** Connects, and sends a text. */
  async function open(text = '') {
    const socket = connect(Number(port), '127.0.0.1').setEncoding('latin1');
    t.after(() => socket.destroy());
    const client = { socket, received: '', closed: closed(socket) };
    socket.on('data', (piece: string) => (client.received += piece));
    await once(socket, 'connect');
    socket.write(text);
    return client;
  }
  return { ...bounded, responses, open };
}

/** The same with one client. */
async function start(t: TestContext) {
  const { responses, open } = await startServer(t);
  const { socket } = await open();
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

describe('the connections of a server', () => {
  const answered = /^HTTP\/1\.1 200 OK\r\n.*ok$/s;

  it('give way near the maximum: the one that has waited longest for a request', async (t) => {
    const { responses, open } = await startServer(t, 20);
    const answer = async (count: number) => {
      await eventually(() => responses.length === count, `${count} requests`);
      return responses[count - 1]?.end('ok');
    };
    const working = await open(REQUEST);
    await eventually(() => responses.length === 1, 'the request in flight');
    const silent = await open();
    const idle = await open(REQUEST);
    await answer(2);
    const half = await open(REQUEST.slice(0, -2));
    const others = [];
    for (let count = 4; count < 18; count += 1) others.push(await open());
    // There are 18 connections now. Three more close the three that have waited longest.
    for (const [number, first] of [silent, idle, half].entries()) {
      const late = await open(REQUEST);
      await first.closed;
      await answer(3 + number);
      await eventually(() => answered.test(late.received), 'the response to the new client');
      others.push(late);
    }
    assert.match(idle.received, answered);
    responses[0]?.end('ok');
    await eventually(() => answered.test(working.received), 'the response to the first client');
    assert.deepEqual(
      others.filter(({ socket }) => socket.closed),
      [],
    );
  });

  it('are closed by a shutdown, except those with a complete request', async (t) => {
    const { responses, connections, open } = await startServer(t);
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n';
    const complete = await open(REQUEST);
    const behind = await open(REQUEST + head);
    const unused = [await open(), await open(REQUEST.slice(0, -2)), await open(`${head}{`)];
    await eventually(() => responses.length === 4, 'all requests');
    connections.closeUnused();
    await Promise.all(unused.map((client) => client.closed));
    for (const response of responses) response.end('ok');
    await Promise.all([complete.closed, behind.closed]);
    assert.match(complete.received, answered);
    assert.match(behind.received, answered);
  });
});

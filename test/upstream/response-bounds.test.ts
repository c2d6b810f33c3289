import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { listenLocally } from '../support/listen-locally.js';
import { client, closeAfterEach, failure, request } from './client-under-test.js';

closeAfterEach();

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const EARLY = 'HTTP/1.1 103 Early Hints\r\n';

/** A server that sends a text, and then repeats another one until the connection ends. */
async function endless(t: TestContext, start: string, part: string): Promise<URL> {
  const block = part.repeat(Math.ceil(65_536 / part.length));
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    const fill = () => {
      while (!socket.destroyed && socket.write(block));
    };
    socket.once('data', () => {
      if (start !== '') socket.write(start);
      socket.on('drain', fill);
      fill();
    });
  });
  return new URL(await listenLocally(t, server));
}

/** A server that sends each of these texts as a packet of its own, and then ends the connection. */
async function inPackets(t: TestContext, packets: Iterable<string | Buffer>): Promise<URL> {
  const send = async (socket: Socket) => {
    for (const packet of packets) {
      if (socket.destroyed) return;
      await new Promise((resolve) => socket.write(packet, resolve));
      await new Promise(setImmediate);
    }
    socket.end();
  };
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => void send(socket));
  });
  return new URL(await listenLocally(t, server));
}

describe('a response without an end', () => {
  const responses: [what: string, start: string, part: string, excess: RegExp][] = [
    ['chunks of one byte', CHUNKED, chunk(' '), /lines/],
    ['chunks of 40 bytes', CHUNKED, chunk(' '.repeat(40)), /lines|bytes/],
    ['chunks with long extensions', CHUNKED, `1;${'x'.repeat(16_000)}\r\n \r\n`, /bytes/],
    ['interim responses', '', 'HTTP/1.1 103 \r\n\r\n', /lines/],
    ['interim responses (102)', '', 'HTTP/1.1 102 Processing\r\na: b\r\n\r\n', /lines/],
    ['interim responses with many headers', '', `${EARLY}${'a:b\r\n'.repeat(90)}\r\n`, /lines/],
    ['interim responses with long headers', '', `${EARLY}a:${'b'.repeat(9000)}\r\n\r\n`, /bytes/],
    ['empty lines before the status', '', '\r\n', /lines/],
    ['line feeds before the status', '', '\n', /bytes/],
    ['a body', `${OK}\r\n`, ' ', /bytes/],
  ];
  for (const [what, start, part, excess] of responses) {
    it(`is a failure of the provider at its first excess: ${what}`, async (t) => {
      const error = await failure(client().getJson(request(await endless(t, start, part))));
      assert.equal(error.kind, 'bad_answer');
      assert.match(error.reason, /^more than \d+ (bytes|packets|lines)$/);
      assert.match(error.reason, excess);
    });
  }
});

describe('a response in packets of one byte', () => {
  const long = OK + 'Content-Length: 2000\r\n\r\n' + ' '.repeat(2000);
  for (const [what, text] of [
    ['body', long],
    ['empty lines', '\n'.repeat(2000)],
    ['chunks', CHUNKED + chunk(' ').repeat(500)],
  ] as const) {
    it(`is a failure of the provider: ${what}`, async (t) => {
      const error = await failure(client().getJson(request(await inPackets(t, text))));
      assert.deepEqual([error.kind, error.reason], ['bad_answer', 'more than 250 packets']);
    });
  }
});

describe('a response within its bounds', () => {
  const body = `{"value":1}${' '.repeat(100_000)}`;
  const zipped = gzipSync('{"value":1}');
  const responses: [string, () => Iterable<string | Buffer>][] = [
    ['200 packets', () => [`${OK}\r\n`, '{"value":1}', ...Array.from({ length: 198 }, () => ' ')]],
    ['900 chunks', () => [CHUNKED + chunk('{"value":1}') + chunk(' ').repeat(900) + '0\r\n\r\n']],
    ['100 kB', () => [`${OK}Content-Length: ${body.length}\r\n\r\n${body}`]],
    ['interim responses', () => [EARLY + '\r\n' + EARLY + 'a: b\r\n\r\n', `${OK}\r\n{"value":1}`]],
    ['gzip', () => [`${OK}Content-Encoding: gzip\r\n\r\n`, zipped]],
  ];
  for (const [what, packets] of responses) {
    it(`is read: ${what}`, async (t) => {
      const url = await inPackets(t, packets());
      assert.deepEqual((await client().getJson(request(url))).body, { value: 1 });
    });
  }

  it('is the last data that its connection receives until the next request', async (t) => {
    let last: Socket | undefined;
    const server = createServer((socket) => {
      last = socket.on('error', () => undefined);
      socket.on('data', () => socket.write(`${OK}Content-Length: 11\r\n\r\n{"value":1}`));
    });
    const url = new URL(await listenLocally(t, server));
    const calls = client();
    await calls.getJson(request(url));
    // Longer than the time after which an idle connection ends.
    for (let n = 0; n < 60 && !last!.destroyed; n += 1) {
      last!.write(EARLY + '\r\n');
      await sleep(100);
    }
    assert.ok(last!.destroyed);
    await calls.getJson(request(url));
  });

  it('does not count toward the bounds of the next one on its connection', async (t) => {
    let connections = 0;
    const text = `{"value":1}${' '.repeat(200_000)}`;
    const server = createServer((socket) => {
      connections += 1;
      socket.on('data', () => {
        socket.write(`${OK}Content-Length: ${text.length}\r\n\r\n${text}`);
      });
    });
    const url = new URL(await listenLocally(t, server));
    const calls = client();
    for (let n = 0; n < 4; n += 1) await calls.getJson(request(url));
    assert.equal(connections, 1);
  });
});

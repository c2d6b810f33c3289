import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { ListedResponse } from '../../src/http/listed-response.js';

type Handle = (response: ServerResponse) => unknown;

/** What a handler makes of a request: the bytes of the answer, and what the handler itself returned. */
async function answerOf(t: TestContext, Response: typeof ServerResponse, handle: Handle) {
  let told: unknown;
  const server = http.createServer({ ServerResponse: Response }, (_request, response) => {
    try {
      told = handle(response);
    } catch (error) {
      told = (error as NodeJS.ErrnoException).code;
    }
    response.end('body');
  });
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
  const answer = await text(socket);
  return { answer: answer.replace(/Date: .*\r\n/, 'Date: now\r\n'), told };
}

/** Each sets headers in its own way. */
const HANDLERS: Record<string, Handle> = {
  'nothing is set': () => undefined,
  'a header is set twice, in other letters': (response) => {
    response.setHeader('X-One', 'a').setHeader('X-Two', 2).setHeader('x-one', 'b');
    return [response.getHeader('X-ONE'), response.hasHeader('x-Two'), response.hasHeader('X-Six')];
  },
  'names and values are listed': (response) => {
    response.setHeader('X-One', 'a').setHeader('Set-Cookie', ['a=1', 'b=2']);
    return [response.getHeaderNames(), { ...response.getHeaders() }];
  },
  'a header is removed': (response) => {
    response.setHeader('X-One', 'a').setHeader('X-Two', 'b');
    response.removeHeader('x-one');
    response.removeHeader('Date');
    response.removeHeader('X-Six');
    return response.getHeaderNames();
  },
  'values are added': (response) => {
    response.appendHeader('X-One', 'a').appendHeader('x-one', ['b', 'c']);
    response.setHeader('Set-Cookie', 'a=1').appendHeader('Set-Cookie', 'b=2');
    return response.getHeader('X-One');
  },
  'headers are set together': (response) => void response.setHeaders(new Headers({ 'X-One': 'a' })),
  'some are given at the end': (response) => {
    response.setHeader('X-One', 'a').setHeader('X-Two', 'b');
    response.writeHead(201, { 'x-one': 'c', 'X-Three': 'd' });
    return response.headersSent;
  },
  'some are given at the end with a reason': (response) => {
    response.setHeader('X-One', 'a').writeHead(299, 'Well', { 'X-One': 'b' });
    return response.statusMessage;
  },
  'some are given as a list': (response) => {
    response.setHeader('X-One', 'a').writeHead(200, ['x-one', 'b', 'X-Two', 'c']);
  },
  'a set header after the head was written': (response) => {
    response.writeHead(200);
    response.setHeader('X-One', 'a');
  },
  'an added header after the head was written': (response) => {
    response.writeHead(200);
    response.appendHeader('X-One', 'a');
  },
  'a removed header after the head was written': (response) => {
    response.setHeader('X-One', 'a').writeHead(200);
    response.removeHeader('X-One');
  },
  'a second head': (response) => response.writeHead(200).writeHead(200),
  'the head goes out before the body': (response) => {
    response.setHeader('X-One', 'a').flushHeaders();
    return response.headersSent;
  },
  'no body may follow': (response) => {
    response.statusCode = 204;
    response.setHeader('X-One', 'a');
  },
};

describe('the response that lists its headers', () => {
  for (const [name, handle] of Object.entries(HANDLERS)) {
    it(`is Node's own to whoever uses it: ${name}`, async (t) => {
      assert.deepEqual(
        await answerOf(t, ListedResponse, handle),
        await answerOf(t, ServerResponse, handle),
      );
    });
  }

  for (const [name, header, value] of [
    ['a line break in a value', 'X-One', 'a\r\nX-Two: b'],
    ['a letter that a value may not have', 'X-One', 'ā'],
    ['a line break in one of several values', 'Set-Cookie', ['a', 'b\r\nX-Two: c']],
    ['a space in a name', 'X One', 'a'],
  ] as const) {
    it(`never writes ${name}`, async (t) => {
      const { answer, told } = await answerOf(t, ListedResponse, (response) => {
        response.setHeader(header, value);
        try {
          return response.writeHead(200);
        } finally {
          response.removeHeader(header);
        }
      });
      assert.match(String(told), /^ERR_INVALID_(CHAR|HTTP_TOKEN)$/);
      assert.match(answer, /^HTTP\/1\.1 200 OK\r\n(?!.*X-Two)/s);
    });
  }
});

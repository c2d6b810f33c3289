import { connect, type Socket } from 'node:net';
import type { Random } from '../support/random.js';

const ENDS = ['\r\n', '\n', '\r', '\r\n\r\n', '\0', ' ', '\t'];
const TOKENS = [
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  'http://[::1',
  'http://a:b/',
  'HTTP/1.0',
  'HTTP/2.0',
  'Upgrade: h2c\r\nConnection: Upgrade\r\n',
  'Expect: 100-continue\r\n',
  'Expect: x\r\n',
  'Content-Length: 5\r\n',
  'Content-Length: -1\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: x\r\n',
  'Host: b\r\n',
  'Host:\r\n',
  'Connection: close\r\n',
  'If-None-Match: *\r\n',
  'Cookie: session=a; session.sig=b\r\n',
  'X-Forwarded-For: ,,\r\n',
  ': \r\n',
  'a'.repeat(3000),
  '?a&'.repeat(700),
  ...['*', '%', '%00', '\xff\xfe', '#', '//u@h:b/'],
];

/** Damages a request in a few places, as bytes. */
export function damaged(request: string, random: Random): string {
  let text = request;
  for (let left = random.between(0, 3); left > 0; left -= 1) {
    const at = random.between(0, text.length);
    const to = Math.min(text.length, at + random.between(0, 12));
    const [before, piece, after] = [text.slice(0, at), text.slice(at, to), text.slice(to)];
    text = random.pick([
      () => before + after,
      () => before + piece + piece + after,
      () => before + random.pick(TOKENS) + after,
      () => before + random.pick(ENDS) + after,
      () => before + String.fromCharCode(random.between(0, 255)) + after,
      () => before,
    ])();
  }
  return text;
}

/** Sends bytes in pieces. Then ends, resets, or closes the connection after a while. */
export function throwAt(port: number, bytes: string, random: Random): Promise<void> {
  const pieces: string[] = [];
  const count = random.weighted([
    [3, 1],
    [1, 4],
  ]);
  for (let rest = bytes, left = count; left > 0; left -= 1) {
    const length = left === 1 ? rest.length : random.between(0, rest.length);
    pieces.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  const end = random.pick<(socket: Socket) => void>([
    (socket) => socket.resetAndDestroy(),
    (socket) => socket.end(),
    (socket) => setTimeout(() => socket.destroy(), 20),
  ]);
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1').resume();
    socket.on('error', () => undefined).once('close', resolve);
    const next = (): void => {
      const piece = pieces.shift();
      if (piece === undefined) {
        end(socket);
        setTimeout(() => socket.destroy(), 100);
      } else socket.write(piece, 'latin1', () => setImmediate(next));
    };
    socket.once('connect', next);
  });
}

import { connect, type Socket } from 'node:net';

/** One answer: only what a load generator looks at. */
export interface Answer {
  status: number;
  /** The head, from the status line to the empty line. */
  head: string;
  /** From sending the request to its last byte, in milliseconds. */
  ms: number;
}

export interface OwnLoadOptions {
  port: number;
  connections: number;
  /** The next request as it goes over the wire; undefined: there is no more. */
  next: (connection: number) => string | undefined;
  onAnswer?: (answer: Answer, connection: number) => void;
}

/** A connection that tells nothing for so long is lost, and the load fails. */
const SILENCE_MS = 30_000;

/**
 * A load generator of our own: exact numbers of requests, and a look at each answer. It also stands
 * in for wrk where that cannot be installed. Understands answers with a `Content-Length`, and 204
 * and 304.
 * @returns how many were answered, by status
 */
export async function ownLoad(options: OwnLoadOptions): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  await Promise.all(
    Array.from({ length: options.connections }, (_, i) =>
      oneConnection(options, i, (status) => {
        counts.set(status, (counts.get(status) ?? 0) + 1);
      }),
    ),
  );
  return counts;
}

function oneConnection(
  { port, next, onAnswer }: OwnLoadOptions,
  number: number,
  count: (status: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let text = '';
    let sentAt = 0;
    const send = () => {
      const request = next(number);
      if (request === undefined) {
        socket.destroy();
        resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(request);
    };
    socket.setEncoding('latin1');
    socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error('no answer for 30 s')));
    socket.once('connect', send);
    socket.once('error', reject);
    socket.once('close', () => {
      reject(new Error('the connection was closed'));
    });
    socket.on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\r\n\r\n');
      if (end === -1) return;
      const head = text.slice(0, end);
      const status = Number(head.slice(9, 12));
      if (text.length < end + 4 + bodyLength(head, status)) return;
      text = '';
      count(status);
      onAnswer?.({ status, head, ms: performance.now() - sentAt }, number);
      send();
    });
  });
}

function bodyLength(head: string, status: number): number {
  if (status === 204 || status === 304) return 0;
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without a length:\n${head}`);
  return Number(length);
}

/** Sends each request once over so many connections. @throws when an answer has another status */
export async function sendAll(
  port: number,
  requests: readonly string[],
  expected = 200,
  connections = 64,
): Promise<void> {
  let at = 0;
  const counts = await ownLoad({ port, connections, next: () => requests[at++] });
  const right = counts.get(expected) ?? 0;
  if (right !== requests.length) {
    const found = [...counts].map(([status, times]) => `${status}: ${times}`).join(', ');
    throw new Error(`of ${requests.length} answers ${right} were ${expected} (${found})`);
  }
}

/** The `name=value` pairs of the cookies that an answer sets, as a client sends them back. */
export function cookiesOf(head: string): string {
  return [...head.matchAll(/\r\nset-cookie: ([^;\r]+)/gi)].map((match) => match[1]!).join('; ');
}

import { connect } from 'node:net';

export interface BenchResponse {
  status: number;
  /** From the status line to the empty line. */
  head: string;
  /** Milliseconds from sending the request to the last byte of the response. */
  ms: number;
}

/** Milliseconds without data after which a connection counts as lost. */
const SILENCE_MS = 30_000;

/**
 * Sends each request once, one after the other on each connection. Responses must have a
 * `Content-Length`.
 * @param requests as they are sent on the wire
 * @returns the responses in the order in which they arrived
 * @throws if a response has another status than 200, or a connection is lost
 */
export async function sendRequests(
  port: number,
  requests: readonly string[],
  { connections = 64 } = {},
): Promise<BenchResponse[]> {
  const responses: BenchResponse[] = [];
  let next = 0;
  async function oneConnection(): Promise<void> {
    const connection = openConnection(port);
    try {
      for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
        const response = await connection.send(request);
        if (response.status !== 200) throw new Error(response.head);
        responses.push(response);
      }
    } finally {
      connection.close();
    }
  }
  await Promise.all(Array.from({ length: connections }, oneConnection));
  return responses;
}

function openConnection(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let text = '';
  let onText: () => void = () => undefined;
  let onLost: (error: Error) => void = () => undefined;
  socket.setEncoding('latin1');
  socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error('no data for 30 s')));
  socket.on('data', (chunk: string) => {
    text += chunk;
    onText();
  });
  socket.on('error', (error) => {
    onLost(error);
  });
  socket.on('close', () => {
    onLost(new Error('the server closed the connection'));
  });
  return {
    send(request: string): Promise<BenchResponse> {
      const sentAt = performance.now();
      socket.write(request);
      return new Promise((resolve, reject) => {
        onLost = reject;
        onText = () => {
          const end = text.indexOf('\r\n\r\n');
          if (end === -1) return;
          const head = text.slice(0, end);
          const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? NaN);
          if (text.length < end + 4 + length) return;
          text = '';
          resolve({ status: Number(head.slice(9, 12)), head, ms: performance.now() - sentAt });
        };
      });
    },
    close() {
      socket.destroy();
    },
  };
}

/** The `name=value` pairs of the cookies that a response sets, as a client sends them back. */
export function cookiesOf(head: string): string {
  return [...head.matchAll(/\r\nset-cookie: ([^;\r]+)/gi)].map((match) => match[1]!).join('; ');
}

import { connect, type Socket } from 'node:net';
import { assertDescribed } from './described-responses.js';
import { answerOf } from './http-client.js';

/** Waits until a connection is closed or reset. `once` would throw at a reset. */
export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket
      .on('error', () => undefined)
      .once('close', () => {
        resolve();
      });
  });
}

/** Checks each response as `ask` does. Bytes that are not a request have no method and no target. */
function assertAllDescribed(base: string, sent: string, received: string): void {
  const requests = [...sent.matchAll(/([A-Z]+) (\/\S*) HTTP\/1/g)];
  for (const [index, answer] of received.split(/(?=HTTP\/1\.1 \d{3} )/).entries()) {
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    const fields = [...head.matchAll(/^([^:\r\n]+): ([^\r\n]*)/gm)];
    const headers = Object.fromEntries(
      fields.map(([, name = '', value]) => [name.toLowerCase(), value]),
    );
    const [, method = '', target = '/'] = requests[index] ?? [];
    const status = Number(head.slice(9, 12));
    assertDescribed(method, answerOf(base + target, status, headers, Buffer.from(body)));
  }
}

/**
 * Sends bytes over a new connection.
 * @returns all bytes until the server closes the connection
 * @throws if the service does not describe a response
 */
export async function raw(base: string, ...pieces: string[]): Promise<string> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  for (const piece of pieces) socket.write(piece, 'latin1');
  await closed(socket);
  assertAllDescribed(base, pieces.join(''), text);
  return text;
}

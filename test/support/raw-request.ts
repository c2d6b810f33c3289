import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends bytes over a bare connection and gives all that comes back until the server ends it. */
export async function raw(base: string, ...pieces: string[]): Promise<string> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => undefined);
  for (const piece of pieces) socket.write(piece, 'latin1');
  await once(socket, 'close');
  return text;
}

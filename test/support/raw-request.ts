import { connect, type Socket } from 'node:net';

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

/** Sends bytes over a new connection. @returns all bytes until the server closes the connection */
export async function raw(base: string, ...pieces: string[]): Promise<string> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  for (const piece of pieces) socket.write(piece, 'latin1');
  await closed(socket);
  return text;
}

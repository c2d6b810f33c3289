import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import type { Lifetime } from './lifetime.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Lets a server listen on a free port of this machine, and closes it with its connections at the end.
 * @param server the server, or the handler of the requests to a new HTTP server
 * @returns its URL
 */
export async function listenLocally(t: Lifetime, server: Server | Handler): Promise<string> {
  if (typeof server === 'function') {
    return listenLocally(
      t,
      createServer((request, response) => void server(request, response)),
    );
  }
  t.after(() => {
    server.close();
    if ('closeAllConnections' in server) (server.closeAllConnections as () => void)();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

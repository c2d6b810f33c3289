import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import type { Lifetime } from './lifetime.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Lets a server listen on a free port of this machine, and closes it with its connections at the end.
 * @param given the server, or the handler of the requests to a new HTTP server
 * @returns its URL
 */
export async function listenLocally(t: Lifetime, given: Server | Handler): Promise<string> {
  const isHandler = typeof given === 'function';
  const server = isHandler ? createServer((...both) => void given(...both)) : given;
  t.after(() => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

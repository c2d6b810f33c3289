import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import type { Lifetime } from './lifetime.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * The connections of a handler have one request each: if a server closes an idle connection of
 * `fetch` in Node.js 22, a timer of it can end the process seconds later (nodejs/undici#4755).
 */
const ONE_REQUEST = { maxRequestsPerSocket: 1 };

/**
 * Lets a server listen on a free local port, and closes it with its connections at the end.
 * @param given the server, or the handler of the requests to a new HTTP server
 * @returns its URL
 */
export async function listenLocally(t: Lifetime, given: Server | Handler): Promise<string> {
  const server =
    typeof given === 'function'
      ? Object.assign(
          createServer((...both) => void given(...both)),
          ONE_REQUEST,
        )
      : given;
  t.after(() => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

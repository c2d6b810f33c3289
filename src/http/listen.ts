import { once } from 'node:events';
import http, { ServerResponse, type RequestListener, type Server } from 'node:http';
import { Socket, type AddressInfo } from 'node:net';
import type { Logger } from '../process/log.js';
import { BODY_TIMEOUT_MS } from './body.js';
import { watchConnections } from './connections.js';

/** Headers must be complete within 15 s; the body has 30 s more. */
const HEADERS_TIMEOUT_MS = 15_000;
/**
 * Node's own limit on receiving all of a request. It is 5 s longer than both together: `body.ts` holds
 * the 30 s more exactly, and its 408 has the headers and the record of every answer, so it comes first.
 */
const RECEIVE_TIMEOUT_MS = HEADERS_TIMEOUT_MS + BODY_TIMEOUT_MS + 5000;
/** Longer than load balancers keep idle connections (nginx, ALB: 60 s): they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Request line and headers together. */
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Starts the HTTP server.
 * @param writeTimeoutMs a client that has not read its answer by then is cut off
 */
export async function listen(
  listener: RequestListener,
  address: { host: string; port: number },
  { log, writeTimeoutMs }: { log: Logger; writeTimeoutMs: number },
): Promise<{ server: Server; port: number; inFlight: () => number }> {
  const connections = watchConnections({ log, writeTimeoutMs });
  const handle: RequestListener = (request, response) => {
    connections.begins(response);
    listener(request, response);
  };
  const server = http.createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: RECEIVE_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      // The default finds a slow client only up to half a minute later.
      connectionsCheckingInterval: 1000,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Node's own refusal has no body: the middleware `wellFormed` gives it the form of all errors.
      requireHostHeader: false,
    },
    handle,
  );
  // By default Node drops the header lines past a thousand without a word, and with them the one
  // that the trusted proxy appended. The limit on bytes is enough.
  server.maxHeadersCount = 0;
  // An expectation that nobody knows may be ignored (RFC 9110, 10.1.1); Node's own 417 has no body.
  server.on('checkExpectation', handle);
  // Node hands out the bare connection, and would end it without an answer.
  server.on('connect', (request, socket) => {
    if (!(socket instanceof Socket)) return;
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    // None of the server's limits knows the connection any more: it ends with the answer.
    response.once('finish', () => {
      socket.destroySoon();
    });
    socket.on('error', () => socket.destroy());
    response.assignSocket(socket);
    handle(request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (socket instanceof Socket) connections.breaks(error, socket);
  });
  server.on('connection', (socket) => {
    connections.opens(socket);
  });
  server.once('close', () => {
    connections.close();
  });
  server.listen(address.port, address.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, port, inFlight: () => connections.inFlight };
}

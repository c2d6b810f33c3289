import { once } from 'node:events';
import http, { type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { Socket, type AddressInfo } from 'node:net';
import type { Logger } from '../process/log.js';
import { limitUnanswered } from '../process/unanswered.js';
import { watchConnections } from './connections.js';
import { ListedResponse } from './listed-response.js';
import { limitConnections } from './max-connections.js';

/** How long a client may take to send a request, in milliseconds. */
export interface ReceiveTimes {
  /** From the connection, or the answer before, to the end of the headers. */
  headersMs: number;
  /** From there to the end of the body. */
  bodyMs: number;
}

export interface ListenOptions {
  log: Logger;
  /** A client that has not read its answer by then is cut off, in milliseconds. */
  writeTimeoutMs: number;
  receive: ReceiveTimes;
  /** Aborts when the process begins to close its connections. */
  closing: AbortSignal;
}

/**
 * Node's own limit on receiving all of a request comes so much after the other two: `body.ts` answers
 * 408 with the headers and the record of every answer, so it must come first. Doubled, nobody notices.
 */
const AFTER_BODY_MS = 5000;
/** Longer than load balancers keep idle connections (nginx, ALB: 60 s): they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Request line and headers together. */
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Starts the HTTP server.
 * @throws when the address cannot be listened on
 */
export async function listen(
  listener: RequestListener,
  address: { host: string; port: number },
  { log, writeTimeoutMs, receive, closing }: ListenOptions,
): Promise<{ server: Server; port: number; inFlight: () => number }> {
  const connections = watchConnections({ log, writeTimeoutMs, bodyMs: receive.bodyMs, closing });
  const handle = limitUnanswered((request, response) => {
    connections.begins(response);
    // The room goes round: nobody keeps a connection while others find none.
    if (isCrowded(connections.open) || hasDoubtfulEnd(request)) response.shouldKeepAlive = false;
    listener(request, response);
  });
  const server = http.createServer(
    {
      ServerResponse: ListedResponse,
      headersTimeout: receive.headersMs,
      requestTimeout: receive.headersMs + receive.bodyMs + AFTER_BODY_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      // The default finds a slow client only up to half a minute later.
      connectionsCheckingInterval: 1000,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Node's own refusal has no body: the middleware `wellFormed` gives it the form of all errors.
      requireHostHeader: false,
    },
    handle,
  );
  const isCrowded = limitConnections(server, log);
  // By default Node drops the header lines past a thousand without a word, and with them the one
  // that the trusted proxy appended. The limit on bytes is enough.
  server.maxHeadersCount = 0;
  // An expectation that nobody knows may be ignored (RFC 9110, 10.1.1); Node's own 417 has no body.
  server.on('checkExpectation', handle);
  // Node hands out the bare connection, without any of its listeners, and perhaps with answers on their way.
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    socket.resume();
    if (socket instanceof Socket) connections.breaks({ code: 'CONNECT' }, socket);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (socket instanceof Socket) connections.breaks(error, socket);
  });
  server.on('connection', (socket) => {
    connections.opens(socket);
  });
  // What `server.close()` calls. Node's own cuts off answers that are still being sent, and waits for
  // connections that have asked for nothing yet.
  server.closeIdleConnections = () => {
    connections.closeIdle();
  };
  server.once('close', () => {
    connections.close();
  });
  server.listen(address.port, address.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, port, inFlight: () => connections.inFlight };
}

/** Chunks are unknown to HTTP/1.0: others may see the end of such a request elsewhere (RFC 9112, 6.1). */
function hasDoubtfulEnd({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;
}

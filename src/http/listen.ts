import { once } from 'node:events';
import http, { type RequestListener, type Server } from 'node:http';
import { Socket, type AddressInfo } from 'node:net';
import type { Logger } from '../process/log.js';
import { requestIdOf } from './middleware/request-id.js';

/** Headers must be complete within 15 s; the body has 30 s more, which `body.ts` holds as well. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 50_000;
/** Longer than load balancers keep idle connections (nginx, ALB: 60 s): they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Request line and headers together. */
const MAX_HEADER_BYTES = 16 * 1024;

/** Starts the HTTP server. */
export async function listen(
  listener: RequestListener,
  address: { host: string; port: number },
  log: Logger,
): Promise<{ server: Server; port: number }> {
  const server = http.createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      // The default finds a slow client only up to half a minute later.
      connectionsCheckingInterval: 1000,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Node's own refusal has no body: `withHost` gives it the form of all errors.
      requireHostHeader: false,
    },
    withHost(listener, log),
  );
  // An expectation that nobody knows may be ignored (RFC 9110, 10.1.1); Node's own 417 has no body.
  server.on('checkExpectation', listener);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (socket instanceof Socket) refuse(error, socket, log);
  });
  server.listen(address.port, address.host);
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** HTTP/1.1 demands a `Host` header (RFC 9112, 3.2). */
function withHost(listener: RequestListener, log: Logger): RequestListener {
  return (request, response) => {
    if (request.headers.host !== undefined || request.httpVersion === '1.0') {
      listener(request, response);
      return;
    }
    const refusal = refusalOf('NO_HOST', request.socket, log);
    response.writeHead(400, refusal.headers).end(refusal.body);
  };
}

const REFUSALS: Record<string, [status: string, title: string, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    'Request timeout',
    'The request was not received in time',
  ],
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'Request header fields too large',
    'Request line and headers must not exceed 16 KiB',
  ],
};
const MALFORMED: [string, string, string] = [
  '400 Bad Request',
  'Bad request',
  'The request is not valid HTTP',
];

/** What never became a request is answered on the bare connection, in the form of all errors. */
function refuse(error: NodeJS.ErrnoException, socket: Socket, log: Logger): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = refusalOf(error.code, socket, log);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${head.join('')}\r\n${body}`);
}

/** Writes the record of a refusal and gives what to answer. */
function refusalOf(reason: string | undefined, socket: Socket, log: Logger) {
  const [status, title, message] = REFUSALS[reason ?? ''] ?? MALFORMED;
  const requestId = requestIdOf(undefined);
  log.info({
    event: 'request_refused',
    request_id: requestId,
    ip: socket.remoteAddress,
    status: Number(status.slice(0, 3)),
    reason,
  });
  const body = JSON.stringify({ error: title, message });
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-ID': requestId,
    Vary: 'Origin',
    Connection: 'close',
  };
  return { status, headers, body };
}

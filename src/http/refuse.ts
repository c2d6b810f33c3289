import type { Socket } from 'node:net';
import type { Logger } from '../process/log.js';
import { requestIdOf } from './middleware/request-id.js';
import { JSON_HEADERS } from './middleware/security-headers.js';

type Refusal = [status: string, title: string, message: string, headers?: Record<string, string>];

const REFUSALS: Record<string, Refusal> = {
  CONNECT: [
    '405 Method Not Allowed',
    'Method not allowed',
    'CONNECT is not offered',
    { Allow: 'GET, HEAD, POST, DELETE, OPTIONS' },
  ],
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
  HPE_INVALID_URL: [
    '400 Bad Request',
    'Bad request',
    'The request target is not valid: all but printable ASCII must be percent-encoded, as München is M%C3%BCnchen',
  ],
};
const MALFORMED: Refusal = ['400 Bad Request', 'Bad request', 'The request is not valid HTTP'];

/** Answers what is no request for this service on the bare connection, in the form of all errors. */
export function refuse(reason: string | undefined, socket: Socket, log: Logger): void {
  const [status, title, message, headers = {}] = REFUSALS[reason ?? ''] ?? MALFORMED;
  const requestId = requestIdOf(undefined);
  log.info({
    event: 'request_refused',
    request_id: requestId,
    ip: socket.remoteAddress,
    status: Number(status.slice(0, 3)),
    reason,
  });
  const body = JSON.stringify({ error: title, message });
  const all = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-ID': requestId,
    Vary: 'Origin',
    'Cache-Control': 'no-store',
    ...JSON_HEADERS,
    ...headers,
    Connection: 'close',
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${head.join('')}\r\n${body}`);
}

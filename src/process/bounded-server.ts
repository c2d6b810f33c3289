import http, {
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createClientConnections } from './client-connections.js';

/**
 * Maximum number of pieces in which a body may arrive: its chunks, or the parts that the network delivers. Each takes 1 µs of
 * CPU time.
 */
export const MAX_PIECES = 1000;
/** Maximum number of bytes that are received of a body, with the headers of its chunks and their extensions. */
const MAX_BYTES = 64 * 1024;
/** Bytes of a body that wait until it is read: as many as the largest body that is accepted. */
const MAX_WAITING_BYTES = 16 * 1024;
/**
 * Milliseconds after a response within which the client must send the rest of its request: long enough for a client on a slow
 * network to receive the response.
 */
const REST_MS = 1000;

export type BoundedServer = ReturnType<typeof createBoundedServer>;

/**
 * Creates an HTTP server with limits on what its clients may cost: connections, unanswered requests, and bodies.
 * @param options.maxConnections maximum number of connections
 */
export function createBoundedServer(
  listener: RequestListener,
  { maxConnections, ...options }: ServerOptions & { maxConnections: number },
) {
  const server = http.createServer({ ...options, highWaterMark: MAX_WAITING_BYTES });
  const connections = createClientConnections(server, maxConnections);
  const handle = connections.limit((request, response) => {
    if (isLastOfConnection(request)) response.setHeader('Connection', 'close');
    if (hasBody(request)) limitRest(request, response);
    listener(request, response);
  });
  server.on('request', handle);
  // An unknown expectation may be ignored (RFC 9110, 10.1.1). The response of Node.js has no body.
  server.on('checkExpectation', handle);
  return { server, connections };
}

/** Returns whether the server cannot know where the next request on the connection begins. */
function isLastOfConnection({ httpVersion, headers }: IncomingMessage): boolean {
  // Node.js handles the request like any other, but drops what it has read after it.
  if (headers.upgrade !== undefined) return true;
  // HTTP/1.0 does not define chunks: another server may see the end of the request elsewhere (RFC 9112, 6.1).
  return httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/**
 * Stops receiving a body that exceeds a limit, and calls back. Node.js limits headers, the extensions of one chunk, and
 * trailers, but not bodies.
 */
export function limitBody(request: IncomingMessage, exceeded: () => void): void {
  const { socket } = request;
  const { bytesRead } = socket;
  let pieces = 0;
  request.on('data', () => {
    pieces += 1;
    if (pieces <= MAX_PIECES && socket.bytesRead - bytesRead <= MAX_BYTES) return;
    request.pause();
    exceeded();
  });
}

/**
 * After the response to an incomplete request, receives the rest within the limits of a body and `REST_MS`, and then closes
 * the connection. If it were closed at once, a client that still sends would not receive the response.
 */
function limitRest(request: IncomingMessage, response: ServerResponse): void {
  // Before the listener of Node.js, which discards a request that nobody reads, without a limit.
  response.prependListener('finish', () => {
    if (request.complete) return;
    const { socket } = request;
    limitBody(request, () => {
      socket.pause();
      // Node.js resumes it after each piece that it has already read.
      socket.on('resume', () => socket.pause());
    });
    request.resume();
    const timer = setTimeout(() => socket.destroy(), REST_MS);
    request.once('close', () => {
      clearTimeout(timer);
    });
  });
}

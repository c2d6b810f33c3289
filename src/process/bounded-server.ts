import http, {
  IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { startTimer } from '../base/time-limit.js';
import { createClientConnections } from './client-connections.js';

/** Maximum number of chunks or packets of a body. Each takes 1 µs of CPU time. */
export const MAX_PIECES = 1000;
/** Maximum number of bytes after the first piece, with the headers of chunks. */
const MAX_BYTES = 64 * 1024;

/** Milliseconds after a response for which the rest of an incomplete request is still received. */
const REST_MS = 1000;

export type BoundedServer = ReturnType<typeof createBoundedServer>;

/** Creates an HTTP server with limits on connections, unanswered requests, and bodies. */
export function createBoundedServer(
  listener: RequestListener,
  { maxConnections, ...options }: ServerOptions & { maxConnections: number },
) {
  const server = http.createServer({ ...options, IncomingMessage: BoundedRequest });
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
  // HTTP/1.0 does not define chunks: another server may see the end of the request elsewhere (RFC
  // 9112, 6.1).
  return httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/**
 * After the response to an incomplete request, receives the rest within the limits of
 * `BoundedRequest` and `REST_MS`, and then closes the connection. If it were closed at once, a
 * client that still sends would not receive the response.
 */
function limitRest(request: IncomingMessage, response: ServerResponse): void {
  // Before the listener of Node.js, which would receive and discard the rest of an unread request
  // without a limit.
  response.prependListener('finish', () => {
    if (request.complete) return;
    request.resume();
    const stop = startTimer(REST_MS, () => request.socket.destroy());
    request.once('close', stop);
  });
}

/**
 * A request whose body is received up to a limit (option `IncomingMessage` of `http.createServer`).
 * Node.js limits headers, the extensions of one chunk, and trailers, but not bodies. Above the
 * limit, the request emits `excess` once, and its connection is not read any more.
 *
 * It is a subclass, because Node.js passes each piece of a read to `push`, up to 10,900 pieces of
 * 64 KB. Storing them in a paused request takes several times as long as ignoring them.
 */
export class BoundedRequest extends IncomingMessage {
  #pieces = 0;
  #firstBytes: number | undefined;
  /** Whether the client has sent more than is received. */
  isExcessive = false;

  override push(piece: Buffer | null): boolean {
    if (piece === null) return super.push(null);
    if (this.isExcessive) return true;
    const { bytesRead } = this.socket;
    this.#pieces += 1;
    this.#firstBytes ??= bytesRead;
    if (this.#pieces <= MAX_PIECES && bytesRead - this.#firstBytes <= MAX_BYTES) {
      return super.push(piece);
    }
    this.isExcessive = true;
    this.emit('excess');
    return false;
  }

  override _read(size: number): void {
    if (!this.isExcessive) super._read(size);
  }
}

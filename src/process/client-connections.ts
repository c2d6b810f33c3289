import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Numbers of unanswered requests at which a connection is not read any more, and read again. */
const PAUSE_AT = 32;
const RESUME_AT = 16;
/** Number at which it closes the connection: one read of 64 KB can contain a thousand requests. */
const CLOSE_AT = 256;
/**
 * Above this fraction of the maximum, a new connection replaces a waiting one. Below 1, because a
 * closed connection counts until the end of the event loop iteration.
 */
const CROWDED = 0.9;

interface Connection {
  /** Number of complete or incomplete requests that have no response yet. */
  unanswered: number;
  newest: IncomingMessage | undefined;
}

/**
 * Tracks and bounds the connections of a server and their unanswered requests. Node.js counts a
 * connection that has sent half a header as active, and bounds only the bytes of waiting responses.
 * @param max near this number, a new connection replaces the one that has waited longest
 */
export function createClientConnections(server: Server, max: number) {
  const connections = new Map<Socket, Connection>();
  /** The connections without an unanswered request, the one that has waited longest first. */
  const waiting = new Set<Socket>();
  let isClosing = false;

  server.maxConnections = max;
  server.on('connection', (socket: Socket) => {
    if (connections.size >= max * CROWDED) waiting.values().next().value?.destroy();
    connections.set(socket, { unanswered: 0, newest: undefined });
    waiting.add(socket);
    socket.once('close', () => {
      connections.delete(socket);
      waiting.delete(socket);
    });
  });

  function countResponse(this: ServerResponse): void {
    const { socket } = this.req;
    const connection = connections.get(socket);
    if (!connection) return;
    connection.unanswered -= 1;
    if (connection.unanswered === RESUME_AT) socket.resume();
    if (connection.unanswered > 0) return;
    connection.newest = undefined;
    if (isClosing) socket.destroySoon();
    else waiting.add(socket);
  }

  return {
    /** Returns a listener that passes on requests, up to a number per connection. */
    limit(listener: RequestListener): RequestListener {
      return (request, response) => {
        const { socket } = request;
        const connection = connections.get(socket);
        // The request is in the chunk whose earlier requests closed the connection.
        if (!connection || socket.destroyed) return;
        connection.unanswered += 1;
        connection.newest = request;
        waiting.delete(socket);
        if (connection.unanswered >= CLOSE_AT) {
          socket.destroy();
          return;
        }
        // In the next tick, because Node.js resumes the socket after each request.
        if (connection.unanswered >= PAUSE_AT) process.nextTick(() => socket.pause());
        response.on('finish', countResponse);
        listener(request, response);
      };
    },
    /** Closes unused connections now, and the others after their last response. */
    closeUnused(): void {
      isClosing = true;
      for (const [socket, { unanswered, newest }] of connections) {
        const isUnused = unanswered === 0 || (unanswered === 1 && newest?.complete === false);
        if (isUnused) socket.destroy();
      }
    },
  };
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '../process/log.js';
import { BODY_TIMEOUT_MS, breakBody } from './body.js';
import { refuse } from './refuse.js';

/** How often answers that nobody reads are looked for, in milliseconds. */
const SWEEP_MS = 1000;

/** What connections still owe and are owed. */
export interface Connections {
  /** To be called for each request, before it is handled. */
  begins(request: IncomingMessage, response: ServerResponse): void;
  /** What came over the connection is not valid HTTP, or came too slowly. */
  breaks(error: NodeJS.ErrnoException, socket: Socket): void;
  close(): void;
}

/**
 * Watches over the exchanges of all connections:
 * - an answer that is not read within `writeTimeoutMs` ends its connection
 * - so does a body that nobody waits for and that does not end
 * - garbage is answered in its turn: after the requests before it, or by the request that it is in
 */
export function watchConnections(options: { log: Logger; writeTimeoutMs: number }): Connections {
  const { log, writeTimeoutMs } = options;
  /** Answers that are not sent yet, oldest first. */
  const owed = new Set<ServerResponse>();
  /** When an answer was first seen to be made and not sent. */
  const madeAt = new WeakMap<ServerResponse, number>();
  /** Requests that were answered before their body was complete. */
  const answeredEarly = new WeakMap<Socket, IncomingMessage>();
  const broken = new WeakSet<Socket>();

  function cutOffSlowReaders(): void {
    const now = performance.now();
    for (const response of owed) {
      if (!response.writableEnded) continue;
      const since = madeAt.get(response) ?? now;
      madeAt.set(response, since);
      if (now - since >= writeTimeoutMs) cutOff(response);
    }
  }

  function cutOff(response: ServerResponse): void {
    const { socket } = response.req;
    owed.delete(response);
    log.info({
      event: 'response_aborted',
      request_id: response.getHeader('X-Request-ID'),
      reason: 'not_read',
    });
    // What the system still holds for this client is thrown away, too.
    socket.resetAndDestroy();
  }

  function ends(request: IncomingMessage, response: ServerResponse): void {
    owed.delete(response);
    const { socket } = request;
    if (request.complete || socket.destroyed) return;
    answeredEarly.set(socket, request);
    const timer = setTimeout(() => {
      if (!request.complete) socket.destroy();
    }, BODY_TIMEOUT_MS);
    socket.once('close', () => {
      clearTimeout(timer);
    });
  }

  function breaks(error: NodeJS.ErrnoException, socket: Socket): void {
    if (
      error.code === 'ECONNRESET' ||
      !socket.writable ||
      answeredEarly.get(socket)?.complete === false
    ) {
      socket.destroy();
      return;
    }
    // Whatever else comes is garbage as well.
    if (broken.has(socket)) return;
    broken.add(socket);
    const last = [...owed].findLast(({ req }) => req.socket === socket);
    if (!last) {
      refuse(error.code, socket, log);
    } else if (last.req.complete) {
      last.once('close', () => {
        if (socket.writable) refuse(error.code, socket, log);
      });
    } else {
      // The answer to this request tells of it, and ends the connection.
      last.shouldKeepAlive = false;
      breakBody(last.req);
    }
  }

  const sweep = setInterval(cutOffSlowReaders, SWEEP_MS).unref();
  return {
    begins(request, response) {
      owed.add(response);
      response.once('close', () => {
        ends(request, response);
      });
    },
    breaks,
    close() {
      clearInterval(sweep);
    },
  };
}

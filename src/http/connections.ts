import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '../process/log.js';
import { breakBody } from './body.js';
import { refuse } from './refuse.js';

/** How often connections are looked at, in milliseconds. */
const SWEEP_MS = 1000;

/** What connections still owe and are owed. */
export interface Connections {
  /** Requests that have not been answered yet, one a connection. */
  readonly inFlight: number;
  /** Connections that are open. */
  readonly open: number;
  opens(socket: Socket): void;
  /** To be called for each request, before it is handled. */
  begins(response: ServerResponse): void;
  /** What came over the connection is not valid HTTP, is not for this service, or came too slowly. */
  breaks(error: { code?: string | undefined }, socket: Socket): void;
  /** Closes each connection as soon as it owes nothing, from now on. */
  closeIdle(): void;
  close(): void;
}

/** What is known of one connection. Times are of the monotonic clock. */
interface Exchange {
  /** The answer to the newest request. Those before it are sent first. */
  last: ServerResponse | undefined;
  /** Since when an answer waits for the client to read. */
  unreadSince: number | undefined;
  /** Since when the newest request is answered, and its body goes on. */
  answeredEarlySince: number | undefined;
  isBroken: boolean;
}

/**
 * Watches over the exchanges of all connections:
 * - an answer that is not read within `writeTimeoutMs` ends its connection
 * - so does a body that nobody waits for and that does not end within `bodyMs`, or a second while the
 *   process closes
 * - garbage is answered in its turn: after the requests before it, or by the request that it is in
 * - while the process closes, every answer ends its connection, also one to a request that came before:
 *   nobody must send the next request over a connection that is about to go
 * - once it closes those that are idle, none goes before its answer is sent
 *
 * A request costs one look into a map. A listener for the end of each answer would take a tenth of the
 * time of a cache hit: it keeps what belongs to a request alive for longer, which garbage collection
 * then has to copy.
 */
export function watchConnections(options: {
  log: Logger;
  writeTimeoutMs: number;
  bodyMs: number;
  closing: AbortSignal;
}): Connections {
  const { log, writeTimeoutMs, bodyMs, closing } = options;
  const exchanges = new Map<Socket, Exchange>();
  let closesIdle = false;

  function sweep(): void {
    const now = performance.now();
    for (const [socket, exchange] of exchanges) look(socket, exchange, now);
  }

  function look(socket: Socket, exchange: Exchange, now: number): void {
    const { last } = exchange;
    exchange.unreadSince = socket.writableLength > 0 ? (exchange.unreadSince ?? now) : undefined;
    exchange.answeredEarlySince = isAnsweredEarly(last)
      ? (exchange.answeredEarlySince ?? now)
      : undefined;
    // A connection that rests must not keep what belongs to its last request.
    if (last?.writableFinished && last.req.complete) exchange.last = undefined;
    if (lasts(exchange.unreadSince, now, writeTimeoutMs)) cutOff(socket, last);
    else if (lasts(exchange.answeredEarlySince, now, closesIdle ? SWEEP_MS : bodyMs))
      socket.destroy();
    else if (exchange.isBroken && socket.writableFinished) socket.destroy();
    else if (closesIdle && !exchange.last && socket.writableLength === 0) socket.destroy();
  }

  function cutOff(socket: Socket, last: ServerResponse | undefined): void {
    log.info({
      event: 'response_aborted',
      request_id: last?.getHeader('X-Request-ID'),
      reason: 'not_read',
    });
    // What the system still holds for this client is thrown away, too.
    socket.resetAndDestroy();
  }

  function breaks(error: { code?: string | undefined }, socket: Socket): void {
    const exchange = exchanges.get(socket);
    const last = exchange?.last;
    if (error.code === 'ECONNRESET' || !socket.writable || isAnsweredEarly(last)) {
      socket.destroy();
      return;
    }
    // Whatever else comes is garbage as well.
    if (exchange?.isBroken) return;
    if (exchange) exchange.isBroken = true;
    if (!last || last.writableFinished) {
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

  closing.addEventListener('abort', () => {
    for (const { last } of exchanges.values()) if (last) last.shouldKeepAlive = false;
  });
  const sweeping = setInterval(sweep, SWEEP_MS).unref();
  return {
    get inFlight() {
      let count = 0;
      for (const { last } of exchanges.values()) if (last && !last.writableFinished) count += 1;
      return count;
    },
    get open() {
      return exchanges.size;
    },
    opens(socket) {
      exchanges.set(socket, {
        last: undefined,
        unreadSince: undefined,
        answeredEarlySince: undefined,
        isBroken: false,
      });
      socket.once('close', () => exchanges.delete(socket));
    },
    begins(response) {
      const exchange = exchanges.get(response.req.socket);
      if (exchange) exchange.last = response;
      if (closing.aborted) response.shouldKeepAlive = false;
    },
    breaks,
    closeIdle() {
      closesIdle = true;
      sweep();
    },
    close() {
      clearInterval(sweeping);
    },
  };
}

/** Its request was answered before its body was complete. */
function isAnsweredEarly(response: ServerResponse | undefined): boolean {
  return response !== undefined && response.writableFinished && !response.req.complete;
}

function lasts(since: number | undefined, now: number, limitMs: number): boolean {
  return since !== undefined && now - since >= limitMs;
}

import { once, setMaxListeners } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceUnavailableError } from '../errors.js';
import { exitWhenWritten, type Logger } from './log.js';

/** `draining`: not ready, and still serving. `closing`: every answer ends its connection. */
export type Phase = 'serving' | 'draining' | 'closing' | 'closed';

/**
 * Idle connections stay open for so long: a request may be on its way over one. Busy clients leave
 * with their next answer. Doubled: each shutdown takes a second longer.
 */
const LINGER_MS = 1000;
/**
 * Stores and clients must close within this, in milliseconds. Doubled: beside a hung Redis a
 * shutdown takes 0.5 s longer.
 */
const CLOSING_MS = 500;

/** Ends a piece of work, or gives it up after `limitMs`. */
export type Drain = (limitMs: number) => Promise<void>;

export type Lifecycle = ReturnType<typeof createLifecycle>;

/**
 * The one life of a process: who serves and who must be closed is registered here.
 * @param options.delayMs between `draining` and `closing`; 0 where nobody routes to us
 * @param options.timeoutMs how long after the delay a request in flight may still take
 */
export function createLifecycle(options: { log: Logger; delayMs: number; timeoutMs: number }) {
  const { log, delayMs, timeoutMs } = options;
  const closing = new AbortController();
  const ending = new AbortController();
  // Every fetch that runs listens to it.
  setMaxListeners(0, ending.signal);
  const servers: Server[] = [];
  const drains: Drain[] = [];
  const flushes: Drain[] = [];
  const closers: (() => Promise<void> | void)[] = [];
  let phase: Phase = 'serving';

  async function end(): Promise<void> {
    const serveMs = servers.length > 0 ? delayMs : 0;
    const drained = Promise.all(drains.map((drain) => drain(serveMs + timeoutMs)));
    await delay(serveMs);
    phase = 'closing';
    closing.abort();
    const deadline = performance.now() + timeoutMs;
    const remaining = () => Math.max(0, deadline - performance.now());
    await Promise.all([drained, ...servers.map((server) => closeServer(server, remaining))]);
    await Promise.all(flushes.map((flush) => flush(remaining())));
    ending.abort(new ServiceUnavailableError('The process ends'));
    await Promise.race([closeAll(), delay(CLOSING_MS)]);
    phase = 'closed';
  }

  async function closeAll(): Promise<void> {
    for (const close of closers.toReversed()) await close();
  }

  return {
    get phase(): Phase {
      return phase;
    },
    /** Aborts when it is `closing`. */
    closing: closing.signal,
    /** Aborts when what still runs after all draining is given up. */
    ending: ending.signal,
    /** A server of clients' requests. */
    serves: (server: Server) => void servers.push(server),
    /** Work of which no more is taken from the signal on, and which is finished beside the servers. */
    drains: (drain: Drain) => void drains.push(drain),
    /** Work that may remain after the last response, such as pending writes. It gets the time that is left. */
    flushes: (flush: Drain) => void flushes.push(flush),
    /** Closed in reverse order at the very end. */
    closes: (close: () => Promise<void> | void) => void closers.push(close),
    /** Ends the process in order on SIGTERM or SIGINT, with code 0. */
    endOnSignal() {
      const begin = (signal: NodeJS.Signals) => {
        if (phase !== 'serving') return;
        phase = 'draining';
        log.info({ event: 'shutdown_started', signal });
        end().then(
          () => {
            log.info({ event: 'shutdown_complete' });
            exitWhenWritten(log, 0);
          },
          (error: unknown) => {
            log.fatal({ event: 'shutdown_failed', err: error });
            exitWhenWritten(log, 1);
          },
        );
      };
      process.on('SIGTERM', begin);
      process.on('SIGINT', begin);
    },
  };
}

async function closeServer(server: Server, remaining: () => number): Promise<void> {
  await delay(Math.min(LINGER_MS, remaining() / 2));
  const closed = once(server, 'close');
  const cut = setTimeout(() => {
    server.closeAllConnections();
  }, remaining());
  server.close();
  await closed;
  clearTimeout(cut);
}

/** What nobody expected is logged, and ends the process with code 1: its state is not known. */
export function exitOnUnexpected(log: Logger): void {
  const exit = (event: string) => (error: unknown) => {
    log.fatal({ event, err: error });
    exitWhenWritten(log, 1);
  };
  process.on('uncaughtException', exit('uncaught_exception'));
  process.on('unhandledRejection', exit('unhandled_rejection'));
}

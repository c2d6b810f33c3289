import { once, setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceUnavailableError } from '../weather/errors.js';
import type { BoundedServer } from './bounded-server.js';
import { exitWhenWritten, type Logger } from './log.js';

/** Milliseconds for which unused connections stay open: a request may be on its way. */
const LINGER_MS = 1000;
/** Milliseconds within which all connections must close: a hung Redis must not delay a shutdown. */
const CLOSING_MS = 500;

/** Finishes work that has started, or stops it after `limitMs` milliseconds. */
type Drain = (limitMs: number) => Promise<void>;

export type Lifecycle = ReturnType<typeof createLifecycle>;

/**
 * Creates the lifecycle of a process: the order of its graceful shutdown.
 * @param options.delayMs milliseconds between the signal and `closing`
 * @param options.timeoutMs milliseconds after the delay within which requests in flight must finish
 */
export function createLifecycle(options: { log: Logger; delayMs: number; timeoutMs: number }) {
  const { log, delayMs, timeoutMs } = options;
  const closing = new AbortController();
  const ending = new AbortController();
  // Every running fetch adds a listener.
  setMaxListeners(0, ending.signal);
  const servers: BoundedServer[] = [];
  const drains: Drain[] = [];
  const flushes: Drain[] = [];
  const closers: (() => Promise<void> | void)[] = [];
  let isDraining = false;

  async function end(): Promise<void> {
    const serveMs = servers.length > 0 ? delayMs : 0;
    const drained = Promise.all(drains.map((drain) => drain(serveMs + timeoutMs)));
    await delay(serveMs);
    closing.abort();
    const deadline = performance.now() + timeoutMs;
    const remaining = () => Math.max(0, deadline - performance.now());
    await Promise.all([drained, ...servers.map((server) => closeServer(server, remaining))]);
    await Promise.all(flushes.map((flush) => flush(remaining())));
    ending.abort(new ServiceUnavailableError('The process ends'));
    await Promise.race([closeAll(), delay(CLOSING_MS)]);
  }

  async function closeAll(): Promise<void> {
    for (const close of closers.toReversed()) await close();
  }

  return {
    /** If true, the process is not ready any more. */
    get isDraining(): boolean {
      return isDraining;
    },
    /** Aborts when the delay of the shutdown is over: every response then closes its connection. */
    closing: closing.signal,
    /** Aborts when the time for draining is over: work that still runs stops. */
    ending: ending.signal,
    addServer: (server: BoundedServer) => void servers.push(server),
    /** Registers work that accepts nothing new after the signal, and ends while servers drain. */
    onDrain: (drain: Drain) => void drains.push(drain),
    /** Registers work after the last response, such as pending writes. */
    onFlush: (flush: Drain) => void flushes.push(flush),
    /** Registers a function that closes connections. They are called last, in reverse order. */
    onClose: (close: () => Promise<void> | void) => void closers.push(close),
    /** Shuts down, and returns the exit code. Must be called at most once. Never throws. */
    async shutDown(signal: NodeJS.Signals): Promise<number> {
      isDraining = true;
      log.info({ event: 'shutdown_started', signal });
      try {
        await end();
      } catch (error) {
        log.fatal({ event: 'shutdown_failed', err: error });
        return 1;
      }
      log.info({ event: 'shutdown_complete' });
      return 0;
    },
  };
}

async function closeServer(
  { server, connections }: BoundedServer,
  remaining: () => number,
): Promise<void> {
  await delay(Math.min(LINGER_MS, remaining() / 2));
  const closed = once(server, 'close');
  const cut = setTimeout(() => {
    server.closeAllConnections();
  }, remaining());
  server.close();
  connections.closeUnused();
  await closed;
  clearTimeout(cut);
}

const handlers: ((error: Error) => boolean)[] = [];

/** Registers a handler. If it returns true, the cause is known, and the process continues. */
export function onUncaughtException(handler: (error: Error) => boolean): void {
  handlers.push(handler);
}

/** Logs an unexpected error and exits with code 1, because the state of the process is unknown. */
export function exitOnUnexpected(log: Logger): void {
  process.on('uncaughtException', (error) => {
    if (handlers.some((handle) => handle(error))) return;
    log.fatal({ event: 'uncaught_exception', err: error });
    exitWhenWritten(log, 1);
  });
  process.on('unhandledRejection', (error) => {
    log.fatal({ event: 'unhandled_rejection', err: error });
    exitWhenWritten(log, 1);
  });
}

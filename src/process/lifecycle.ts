import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './log.js';

/** While answers end their connections, clients in full swing leave by themselves. */
const LINGER_MS = 1000;
/** Of the whole time, what is kept for closing what is behind the server. */
const CLOSING_SHARE = 0.2;

export interface ShutdownOptions {
  log: Logger;
  /** Time between «not ready» and closing, in milliseconds; 0 where nobody routes to us. */
  delayMs: number;
  /** By then, counted from the signal, everything is closed, in milliseconds. */
  timeoutMs: number;
  /** Undefined in a process that serves no HTTP. */
  server: Server | undefined;
  close: (limitMs: number) => Promise<void>;
}

export interface Shutdown {
  /** From the signal on: not ready any more. */
  readonly draining: () => boolean;
  /** From when answers are to end their connections. */
  readonly closing: () => boolean;
  /** Waits for SIGTERM or SIGINT, ends in order, and exits with 0. */
  onSignal(options: ShutdownOptions): void;
}

/** Not ready → keep serving → close connections as they answer → close what is behind → exit. */
export function createShutdown(): Shutdown {
  let draining = false;
  let closing = false;
  return {
    draining: () => draining,
    closing: () => closing,
    onSignal(options) {
      const { log } = options;
      const begin = (signal: NodeJS.Signals) => {
        if (draining) return;
        draining = true;
        log.info({ event: 'shutdown_started', signal });
        const onClosing = () => (closing = true);
        end(options, onClosing).then(
          () => {
            log.info({ event: 'shutdown_complete' });
            log.flush(() => process.exit(0));
          },
          (error: unknown) => {
            log.error({ event: 'shutdown_failed', err: error });
            log.flush(() => process.exit(1));
          },
        );
      };
      process.on('SIGTERM', begin);
      process.on('SIGINT', begin);
    },
  };
}

async function end(options: ShutdownOptions, onClosing: () => void): Promise<void> {
  const { delayMs, timeoutMs, server, close } = options;
  const started = performance.now();
  const remaining = () => Math.max(0, timeoutMs - (performance.now() - started));
  const closingMs = timeoutMs * CLOSING_SHARE;
  if (server) {
    await delay(Math.min(delayMs, remaining() - closingMs));
    onClosing();
    await closeServer(server, remaining() - closingMs);
  }
  await close(remaining() / 2);
}

/**
 * Every answer ends its connection by now. Only after a while are idle connections closed: earlier,
 * a request on its way over one would be lost.
 */
async function closeServer(server: Server, limitMs: number): Promise<void> {
  await delay(Math.min(LINGER_MS, limitMs / 2));
  const cut = setTimeout(() => {
    server.closeAllConnections();
  }, limitMs / 2);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(cut);
}

/** What nobody expected is logged, and ends the process with code 1: its state is not known. */
export function exitOnUnexpected(log: Logger): void {
  const exit = (event: string) => (error: unknown) => {
    log.fatal({ event, err: error });
    log.flush(() => process.exit(1));
  };
  process.on('uncaughtException', exit('uncaught_exception'));
  process.on('unhandledRejection', exit('unhandled_rejection'));
}

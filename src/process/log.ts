import { pino, type DestinationStream, type Logger } from 'pino';
import type { Config } from '../config/config.js';
import { createLogOutput } from './log-output.js';

export type { Logger } from 'pino';

/** The names of pino's levels, by its numbers. */
const LEVELS: Record<number, string> = {
  10: 'DEBUG',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARNING',
  50: 'ERROR',
  60: 'ERROR',
};
const THRESHOLDS = { DEBUG: 'debug', INFO: 'info', WARNING: 'warn', ERROR: 'error' } as const;

/**
 * A process that ends waits this long for its records to be written, in milliseconds. Doubled: one
 * whose log nobody reads ends half a second later.
 */
const FLUSH_LIMIT_MS = 500;

/**
 * One JSON line a record: `timestamp`, `level`, `event`, then the fields. The event is a name to filter
 * by, never a sentence: `log.info({ event: 'weather_request', … })`.
 *
 * Fatal is why the process ends. With logging off only these are written, to standard error: an exit
 * code alone helps nobody.
 */
export function createLogger(settings: Config['log'], destination?: DestinationStream): Logger {
  const log: Logger = pino(
    {
      level: settings.enabled ? THRESHOLDS[settings.level] : 'fatal',
      // No process id and host name: the platform labels the stream.
      base: null,
      // The timestamp goes first, so the level, which pino writes before it, comes by the mixin.
      timestamp: timestamps(),
      formatters: { level: () => ({}) },
      mixin: (_fields, number) => ({ level: LEVELS[number] }),
      // pino repeats the message of the error under this key as `msg`; ours are under `err`.
      errorKey: 'error',
      serializers: { err: describeError },
    },
    destination ??
      createLogOutput(settings.enabled ? process.stdout : process.stderr, (dropped) => {
        log.warn({ event: 'log_records_dropped', dropped });
      }),
  );
  return log;
}

/** Gives the field of the time. Many records fall into one millisecond, whose text is made once. */
function timestamps(): () => string {
  let made = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== made) {
      made = now;
      text = `"timestamp":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
}

/** Ends the process once its records are written. Nobody may be reading them: the wait is bounded. */
export function exitWhenWritten(log: Logger, code: number): void {
  const exit = () => process.exit(code);
  setTimeout(exit, FLUSH_LIMIT_MS);
  log.flush(exit);
}

/** Type, message and stack of an error and of what caused it. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

import type { Writable } from 'node:stream';
import { pino, type DestinationStream, type Logger } from 'pino';
import type { Config } from '../config/config.js';

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

/** Milliseconds that a process which ends waits for its records to be written. */
const FLUSH_LIMIT_MS = 500;
/** Characters of records that may wait while nothing reads standard output. Further records are dropped. */
const MAX_WAITING_LENGTH = 1024 * 1024;

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
      createOutput(settings.enabled ? process.stdout : process.stderr, (dropped) => {
        log.warn({ event: 'log_records_dropped', dropped });
      }),
  );
  return log;
}

/**
 * Writes all records of an event loop iteration at its end, and never waits for their reader. Records above
 * `MAX_WAITING_LENGTH` are dropped. A stream of Node.js continues as soon as there is space in a pipe;
 * `pino.destination` tries again after 100 ms, and drops records under load even if they are read.
 * @param onDropped called with the number of dropped records when all others have been written
 */
function createOutput(stream: Writable, onDropped: (dropped: number) => void) {
  let lines = '';
  let dropped = 0;
  const writeLines = () => {
    stream.write(lines);
    lines = '';
  };
  // A full disk, or a closed pipe, must not end the process.
  stream.on('error', () => undefined);
  stream.on('drain', () => {
    if (dropped === 0) return;
    const count = dropped;
    dropped = 0;
    onDropped(count);
  });
  process.once('exit', writeLines);
  return {
    write(line: string): void {
      if (stream.writableLength + lines.length > MAX_WAITING_LENGTH) {
        dropped += 1;
        return;
      }
      if (lines === '') setImmediate(writeLines);
      lines += line;
    },
    /** Calls back when every record has been written. A reader that stalls delays it without bound. */
    flush(done: () => void): void {
      writeLines();
      stream.write('', done);
    },
  };
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

/** Ends the process once its records are written. The wait is bounded, because nobody may be reading them. */
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

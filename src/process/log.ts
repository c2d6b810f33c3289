import { pino, type DestinationStream, type Logger } from 'pino';
import { printable } from '../text/printable.js';
import { createOutput } from './log-output.js';

export type { Logger } from 'pino';

const LEVELS: Record<number, string> = {
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARNING',
  50: 'ERROR',
  60: 'ERROR',
};
const THRESHOLDS = { DEBUG: 'debug', INFO: 'info', WARNING: 'warn', ERROR: 'error' } as const;

/** Milliseconds for which a process that exits waits until its records are written. */
const FLUSH_LIMIT_MS = 500;

type Fields = Record<string, unknown>;

/** Maximum length of a text in a record: enough for the messages of five providers. */
const MAX_TEXT_LENGTH = 2000;
const MAX_STACK_LINES = 30;

/**
 * Creates the log. A record is one line of JSON: `timestamp`, `level`, `event` (a name to filter
 * by), then printable fields. If logging is off, only fatal records are written, to standard error.
 */
export function createLogger(
  settings: { enabled: boolean; level: keyof typeof THRESHOLDS },
  destination?: DestinationStream,
): Logger {
  const log: Logger = pino(
    {
      level: settings.enabled ? THRESHOLDS[settings.level] : 'fatal',
      // No process ID and no host name: the platform labels the stream.
      base: null,
      // pino would write the level before the timestamp, so the mixin adds the level.
      timestamp: () => `"timestamp":"${new Date().toISOString()}"`,
      formatters: { level: () => ({}) },
      mixin: (_fields, number) => ({ level: LEVELS[number] }),
      mixinMergeStrategy: (fields, record) => addPrintable(fields as Fields, record as Fields),
      // pino adds `msg` to records that have an error under this key. Ours is `err`.
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

/** Exits when all records are written, or after `FLUSH_LIMIT_MS` if standard output is not read. */
export function exitWhenWritten(log: Logger, code: number): void {
  const exit = () => process.exit(code);
  setTimeout(exit, FLUSH_LIMIT_MS);
  log.flush(exit);
}

/** Adds the fields of a record, made printable, to the object with its level. */
function addPrintable(fields: Fields, record: Fields): Fields {
  // A loop over entries costs a quarter of a record, a copied record five times as much.
  for (const name in fields) {
    const value = fields[name];
    // With more than 16 fields, V8 makes a record a dictionary, which costs 3 µs.
    if (value !== undefined) record[name] = printableValue(value);
  }
  return record;
}

function printableValue(value: unknown): unknown {
  if (typeof value === 'string') return printable(value, MAX_TEXT_LENGTH);
  return Array.isArray(value) ? value.map(printableValue) : value;
}

/** Returns type, message, and stack of an error and of its cause. */
function describeError(error: unknown): unknown {
  const text = (value: string) => printable(value, MAX_TEXT_LENGTH);
  if (!(error instanceof Error)) return { type: typeof error, message: text(String(error)) };
  return {
    type: text(error.name),
    message: text(error.message),
    stack: error.stack?.split('\n', MAX_STACK_LINES).map(text).join('\n'),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

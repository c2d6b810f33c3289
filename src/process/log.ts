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
  let level = '';
  const log: Logger = pino(
    {
      level: settings.enabled ? THRESHOLDS[settings.level] : 'fatal',
      // No process ID and no host name: the platform labels the stream.
      base: null,
      // pino would write the level before the timestamp.
      hooks: {
        logMethod(args, write, number) {
          level = LEVELS[number] ?? '';
          write.apply(this, args);
        },
      },
      timestamp: () => `"timestamp":"${isoTime()}","level":"${level}"`,
      formatters: { level: () => ({}), log: printableFields },
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

let [lastMs, lastTime] = [0, ''];

/** Returns the time. Formatting it takes a seventh of a record, and many records have the same. */
function isoTime(): string {
  const now = Date.now();
  if (now !== lastMs) [lastMs, lastTime] = [now, new Date(now).toISOString()];
  return lastTime;
}

/** Returns the fields, made printable. Most are: a copy would take a tenth of a record's time. */
function printableFields(fields: Fields): Fields {
  let record = fields;
  for (const name in fields) {
    const value = printableValue(fields[name]);
    if (value === fields[name]) continue;
    if (record === fields) record = { ...fields };
    record[name] = value;
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

import { pino, type DestinationStream, type Logger } from 'pino';
import type { Config } from './config.js';

export type { Logger } from 'pino';

const LEVELS: Record<string, string> = {
  trace: 'DEBUG',
  debug: 'DEBUG',
  info: 'INFO',
  warn: 'WARNING',
  error: 'ERROR',
  fatal: 'ERROR',
};
const THRESHOLDS = { DEBUG: 'debug', INFO: 'info', WARNING: 'warn', ERROR: 'error' } as const;

/**
 * The logger: one JSON line a record on standard output, `timestamp` (ISO 8601, milliseconds,
 * UTC), `level`, `event`, then the fields. Records are written as
 * `log.info({ event: 'weather_request', … })`: the event is a name to filter by, never a sentence.
 */
export function createLogger(settings: Config['log'], destination?: DestinationStream): Logger {
  return pino(
    {
      enabled: settings.enabled,
      level: THRESHOLDS[settings.level],
      // No process id and host name: the platform labels the stream.
      base: null,
      timestamp: () => `,"timestamp":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: LEVELS[label] ?? label }) },
      serializers: { err: describeError },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
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

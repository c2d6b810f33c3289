import { pino, type Logger } from 'pino';

/** A logger that collects its records. */
export function recordingLog(): { log: Logger; records: Record<string, unknown>[] } {
  const records: Record<string, unknown>[] = [];
  const log = pino(
    { base: null, timestamp: false, level: 'debug' },
    { write: (line: string) => records.push(JSON.parse(line) as Record<string, unknown>) },
  );
  return { log, records };
}

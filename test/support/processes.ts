import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { watchOver } from './children.js';
import { eventually } from './eventually.js';

/** A log record as a process of the service wrote it. */
export type LogRecord = Record<string, unknown> & {
  timestamp: string;
  level: string;
  event: string;
};

/** A process that writes log records to its standard output. */
export interface Program {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Every record so far, oldest first, as far as they are kept. */
  readonly records: LogRecord[];
  /** Lines that were no record, and all of standard error. */
  readonly noise: string[];
  /** The records with an event. */
  of(event: string): LogRecord[];
  /**
   * Waits for a record with an event that satisfies the condition.
   * @throws when it does not come within `limitMs`, or the process has ended without it
   */
  waitFor(
    event: string,
    test?: (record: LogRecord) => boolean,
    limitMs?: number,
  ): Promise<LogRecord>;
  kill(signal: NodeJS.Signals): void;
  /** Ends it with SIGTERM (SIGKILL after a while) and tells its exit code. */
  stop(): Promise<number | null>;
  /** Resolves with the exit code; null after a signal. */
  readonly exited: Promise<number | null>;
}

export interface ProgramOptions {
  env: Record<string, string>;
  /** Told each record; the last `keep` are kept. */
  onRecord?: (record: LogRecord) => void;
  /** Told each line that is no record, or is of standard error. */
  onNoise?: (line: string) => void;
  keep?: number;
}

/** In time for all that a process has to finish. */
const KILL_AFTER_MS = 10_000;

/** Starts a program. It does not outlive the test file. */
export function startProgram(command: string[], options: ProgramOptions): Program {
  const { env, onRecord, onNoise, keep = Infinity } = options;
  const [file = '', ...args] = command;
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  watchOver(child);
  const records: LogRecord[] = [];
  const noise: string[] = [];
  const addNoise = (line: string) => {
    noise.push(line);
    onNoise?.(line);
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    const record = recordIn(line);
    if (!record) {
      addNoise(line);
      return;
    }
    records.push(record);
    if (records.length > keep) records.shift();
    onRecord?.(record);
  });
  createInterface({ input: child.stderr }).on('line', addNoise);
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const isRunning = () => child.exitCode === null && child.signalCode === null;

  return {
    child,
    pid: child.pid ?? 0,
    records,
    noise,
    exited,
    of: (event) => records.filter((record) => record.event === event),
    async waitFor(event, test = () => true, limitMs = 45_000) {
      const find = () => records.find((record) => record.event === event && test(record));
      await eventually(() => find() !== undefined || !isRunning(), event, limitMs).catch(() => 0);
      // What it wrote last comes before its end.
      if (!isRunning()) await exited;
      const found = find();
      if (found) return found;
      throw new Error(
        `no record ${event}; exit code ${String(child.exitCode)}; ` +
          `records: ${JSON.stringify(records.slice(-20))}; output: ${noise.join('\n')}`,
      );
    },
    kill: (signal) => void child.kill(signal),
    async stop() {
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
      const code = await exited;
      clearTimeout(timer);
      return code;
    },
  };
}

function recordIn(line: string): LogRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as LogRecord) : undefined;
  } catch {
    return undefined;
  }
}

/** The memory that a process has now and had at most, in bytes; 0 when it has ended. */
export function residentBytes(pid: number): { now: number; highest: number } {
  let status = '';
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // It has ended.
  }
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
  return { now: bytes('VmRSS'), highest: bytes('VmHWM') };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { watchOver } from './child-processes.js';
import { eventually } from './eventually.js';

/** A log record of the service. */
export type LogRecord = Record<string, unknown> & {
  timestamp: string;
  level: string;
  event: string;
};

/** A process that writes log records to its standard output. */
export type Program = ReturnType<typeof startProgram>;

/** Longer than the shutdown timeout of a process. */
const KILL_AFTER_MS = 10_000;

/** Starts a program. It ends with the test file. */
export function startProgram(command: string[], env: Record<string, string>) {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  watchOver(child);
  const records: LogRecord[] = [];
  const noise: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const record = recordIn(line);
    if (record) records.push(record);
    else noise.push(line);
  });
  createInterface({ input: child.stderr }).on('line', (line) => noise.push(line));
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const isRunning = () => child.exitCode === null && child.signalCode === null;

  return {
    child,
    pid: child.pid ?? 0,
    /** All records, oldest first. */
    records,
    /** Lines that are not log records, and all lines of standard error. */
    noise,
    /** The exit code. Null: a signal ended the process. */
    exited,
    of: (event: string) => records.filter((record) => record.event === event),
    /**
     * Waits for a record with an event that satisfies the condition.
     * @throws if there is no such record within `limitMs`, or before the process ends
     */
    async waitFor(
      event: string,
      test: (record: LogRecord) => boolean = () => true,
      limitMs?: number,
    ) {
      const find = () => records.find((record) => record.event === event && test(record));
      await eventually(() => find() !== undefined || !isRunning(), event, limitMs).catch(() => 0);
      // Its last output arrives before `exited` resolves.
      if (!isRunning()) await exited;
      const found = find();
      if (found) return found;
      throw new Error(
        `no record ${event}; exit code ${String(child.exitCode)}; ` +
          `records: ${JSON.stringify(records.slice(-20))}; output: ${noise.join('\n')}`,
      );
    },
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    /** Sends SIGTERM, and SIGKILL after 10 s. @returns the exit code */
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

/** Current and highest resident memory of a process in bytes. 0 if the process has ended. */
export function residentBytes(pid: number): { now: number; highest: number } {
  let status = '';
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // The process has ended.
  }
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
  return { now: bytes('VmRSS'), highest: bytes('VmHWM') };
}

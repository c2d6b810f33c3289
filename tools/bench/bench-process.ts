import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, ftruncateSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchOver } from '../../test/support/child-processes.js';

/** The checkout that is measured. */
export const ROOT = join(import.meta.dirname, '../..');

/** A Node.js process of the benchmark: the service, a baseline, or a provider. */
export interface Program {
  readonly pid: number;
  /** When it was started, in milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** Truncates its log, so that millions of records do not fill the disk. */
  clearOutput(): void;
  /** Standard error and the end of standard output, for error messages. */
  lastOutput(): string;
  isRunning(): boolean;
  stop(): Promise<void>;
}

let scratch: string | undefined;

/** A folder for temporary files, also of the servers. It is removed when this process ends. */
export function scratchDirectory(): string {
  if (scratch === undefined) {
    scratch = mkdtempSync(join(tmpdir(), 'weather-bench-'));
    process.env['TMPDIR'] = scratch;
  }
  return scratch;
}

/** Ends all processes and removes all files when this process ends. Call it first. */
export function cleanUpOnExit(): void {
  process.once('exit', () => {
    if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]));
  }
}

let started = 0;

/** Starts `node` with these arguments. Its output goes to files. */
export function startNode(args: string[], env: Record<string, string>): Program {
  started += 1;
  const base = join(scratchDirectory(), String(started));
  const out = openSync(`${base}.out`, 'a');
  const err = openSync(`${base}.err`, 'a');
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', out, err],
  });
  watchOver(child);
  const exited = once(child, 'exit').then(() => {
    closeSync(out);
    closeSync(err);
  });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    pid: child.pid ?? 0,
    startedAt,
    clearOutput() {
      if (isRunning()) ftruncateSync(out);
    },
    lastOutput: () =>
      readFileSync(`${base}.err`, 'utf8') + readFileSync(`${base}.out`, 'utf8').slice(-2000),
    isRunning,
    async stop() {
      if (isRunning()) child.kill('SIGKILL');
      await exited;
    },
  };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { watchOver } from '../../../test/support/children.js';

/** The checkout that is measured. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A process of the measurement: the service, a baseline or a provider. */
export interface Program {
  readonly pid: number;
  /** When it was spawned, in `performance.now()` milliseconds. */
  readonly spawnedAt: number;
  /** How many log records with this event it has written since the last `clearOutput`. */
  records(event: string): number;
  /** Forgets what it wrote: a log of millions of records must not fill the disk. */
  clearOutput(): void;
  /** Standard error and the end of standard output: for messages when something goes wrong. */
  lastWords(): string;
  isRunning(): boolean;
  stop(): Promise<void>;
}

let scratch: string | undefined;

/** A directory that is removed when this process ends; the servers put theirs into it too. */
export function scratchDirectory(): string {
  if (scratch === undefined) {
    scratch = mkdtempSync(join(tmpdir(), 'weather-bench-'));
    mkdirSync(scratch, { recursive: true });
    process.env['TMPDIR'] = scratch;
  }
  return scratch;
}

/**
 * Whatever ends this process ends what it started. Call it before anything is started: a second
 * handler on a signal keeps another one's from ending the process halfway.
 */
export function cleanUpOnExit(): void {
  process.once('exit', () => {
    if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]));
  }
}

let files = 0;

/** Starts `node` with these arguments. Its output goes to a file, as a platform would collect it. */
export function startNode(args: string[], env: Record<string, string> = {}): Program {
  files += 1;
  const base = join(scratchDirectory(), String(files));
  const out = openSync(`${base}.out`, 'a');
  const err = openSync(`${base}.err`, 'a');
  const spawnedAt = performance.now();
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
    spawnedAt,
    records: (event) => occurrences(readFileSync(`${base}.out`), `"event":"${event}"`),
    clearOutput() {
      // Its file is open for appending: it goes on at the new end.
      if (isRunning()) ftruncateSync(out);
    },
    lastWords: () =>
      [readFileSync(`${base}.err`, 'utf8'), readFileSync(`${base}.out`, 'utf8').slice(-2000)]
        .join('\n')
        .trim(),
    isRunning,
    async stop() {
      if (isRunning()) child.kill('SIGKILL');
      await exited;
    },
  };
}

function occurrences(bytes: Buffer, text: string): number {
  let found = 0;
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) found += 1;
  return found;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureCommand } from '../../../test/support/packages.js';
import { ownLoad } from './own-load.js';
import { scratchDirectory } from './processes.js';
import { quantile } from './statistics.js';

/** One load phase: for so long, over so many connections, these requests in turn. */
export interface LoadOptions {
  port: number;
  requests: readonly string[];
  seconds: number;
  connections?: number;
  /** Each connection pauses so long before its next request, on average (exponentially). */
  pauseMs?: number;
}

export interface LoadResult {
  /** Requests that were answered. */
  answered: number;
  /** Of these, those with a status of 400 or more. */
  refused: number;
  perSecond: number;
  p99Ms: number;
}

const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url));
const CONNECTIONS = 64;

let wrk: boolean | undefined;
/** Whether wrk is there; it is installed when it can be. */
export function hasWrk(): boolean {
  if (wrk === undefined) {
    try {
      ensureCommand('wrk', 'wrk');
      wrk = true;
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      console.error('The load comes from a generator of our own, which is slower than wrk.');
      wrk = false;
    }
  }
  return wrk;
}

/** Puts load on a port of this machine. @throws when a request was not answered */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const result = hasWrk() ? await loadByWrk(options) : await loadByOwn(options);
  if (result.answered === 0) throw new Error(`nothing on port ${options.port} answered`);
  return result;
}

let lists = 0;
const written = new WeakMap<readonly string[], string>();
/** wrk's script reads the requests from a file; one that stands already is used again. */
function fileOf(requests: readonly string[]): string {
  let path = written.get(requests);
  if (path === undefined) {
    path = join(scratchDirectory(), `requests-${++lists}`);
    writeFileSync(path, requests.join(''));
    written.set(requests, path);
  }
  return path;
}

async function loadByWrk(options: LoadOptions): Promise<LoadResult> {
  const { port, requests, seconds, connections = CONNECTIONS, pauseMs = 0 } = options;
  const child = spawn(
    'wrk',
    // prettier-ignore
    ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', SCRIPT,
      `http://127.0.0.1:${port}/`],
    {
      env: {
        PATH: process.env['PATH'] ?? '',
        BENCH_REQUESTS: fileOf(requests),
        BENCH_PAUSE_MS: String(pauseMs),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  const keep = (chunk: Buffer) => (output += chunk.toString());
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  await once(child, 'close');
  process.off('exit', kill);
  const found = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(output)?.slice(1).map(Number);
  if (!found) throw new Error(`wrk failed: ${output}`);
  const [answered = 0, micros = 0, refused = 0, lost = 0, p99Micros = 0] = found;
  if (lost > 0) throw new Error(`${lost} requests were not answered: ${output}`);
  return { answered, refused, perSecond: (answered / micros) * 1e6, p99Ms: p99Micros / 1000 };
}

async function loadByOwn(options: LoadOptions): Promise<LoadResult> {
  const { port, requests, seconds, connections = CONNECTIONS, pauseMs = 0 } = options;
  if (pauseMs > 0) throw new Error('a paced load needs wrk');
  const started = performance.now();
  const until = started + seconds * 1000;
  const times: number[] = [];
  let at = 0;
  let refused = 0;
  await ownLoad({
    port,
    connections,
    next: () => (performance.now() < until ? requests[at++ % requests.length] : undefined),
    onAnswer({ status, ms }) {
      times.push(ms);
      if (status >= 400) refused += 1;
    },
  });
  const perSecond = (times.length / (performance.now() - started)) * 1000;
  return { answered: times.length, refused, perSecond, p99Ms: quantile(times, 0.99) };
}

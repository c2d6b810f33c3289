import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scratchDirectory } from './bench-process.js';

export interface LoadResult {
  responses: number;
  /** Responses with a status of 400 or more; part of `responses`. */
  failed: number;
}

const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url));
const CONNECTIONS = 64;

/**
 * Sends one request after the other on each of 64 connections, by the program `wrk`. It needs less
 * CPU time than a load generator in JavaScript, so it does not limit the rate of the server.
 * @param requests sent in this order, again from the first after the last
 * @throws if a connection failed or there was no response
 */
export async function load(
  port: number,
  requests: readonly string[],
  seconds: number,
): Promise<LoadResult> {
  const file = join(scratchDirectory(), 'requests');
  writeFileSync(file, requests.join(''));
  const options = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '10s', '-s', SCRIPT];
  const child = spawn('wrk', [...options, `http://127.0.0.1:${port}/`], {
    env: { PATH: process.env['PATH'] ?? '', BENCH_REQUESTS: file },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer) => (output += chunk.toString());
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  await once(child, 'close');
  process.off('exit', kill);

  const found = /RESULT (\d+) (\d+) (\d+)/.exec(output)?.slice(1).map(Number);
  if (!found) throw new Error(`wrk failed: ${output}`);
  const [responses = 0, failed = 0, lost = 0] = found;
  if (responses === 0 || lost > 0) throw new Error(`${lost} requests had no response: ${output}`);
  return { responses, failed };
}

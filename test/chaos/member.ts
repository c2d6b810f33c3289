import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/redis-server.js';
import type { Relay } from '../support/relay.js';

/** One process of the built service. Of its records only those are kept that matter here. */
export interface Member {
  readonly name: string;
  readonly url: string;
  readonly metricsUrl: string;
  readonly pid: number;
  /** Its way to Redis, where there is one that can be disturbed. */
  readonly wire: Relay | undefined;
  /** Whether it said at any time since an instant that it works without Redis. */
  wasAloneSince(instant: number): boolean;
  /** Ended by the harness: whatever code it ends with is foreseen. */
  mayEnd: boolean;
  /** Killed: those who were being answered get no answer. */
  wasKilled: boolean;
  /** Its last records of what is worth telling, oldest first. */
  readonly told: string[];
  kill(signal: NodeJS.Signals): void;
  /** Whether anybody reads its standard output. */
  read(isRead: boolean): void;
  /** Resolves with its exit code. */
  readonly exited: Promise<number | null>;
  residentBytes(): Promise<number>;
}

/** Records that no fault of the catalogue may cause. */
const UNFORESEEN = new Set([
  'uncaught_exception',
  'unhandled_rejection',
  'redis_error',
  'response_failed',
  'shutdown_failed',
  'fetch_job_failed',
]);
/** Records of which there are many, and which say nothing of the process's own state. */
const USUAL = new Set([
  'weather_request',
  'request',
  'fetch',
  'upstream_failed',
  'fetch_uncoordinated',
]);
const TOLD = 12;
/** A new process has reached its Redis by then. */
const JOINING_MS = 5000;
const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const START_LIMIT_MS = 60_000;

const running = new Set<{ kill(signal: NodeJS.Signals): unknown }>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export async function launchMember(options: {
  name: string;
  entry: 'server.js' | 'worker.js';
  env: Record<string, string>;
  wire: Relay | undefined;
  violated: (what: string) => void;
}): Promise<Member> {
  const { name, entry, wire, violated } = options;
  const metricsPort = await freePort();
  const env = {
    ...options.env,
    PATH: process.env['PATH'] ?? '',
    METRICS_PORT: String(metricsPort),
  };
  const child = spawn(process.execPath, [DIST + entry], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let url: string | undefined;
  const told: string[] = [];
  let degraded = false;
  let aloneUntil = performance.now() + JOINING_MS;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const record = recordIn(line);
    if (record && !USUAL.has(String(record['event']))) told.push(line);
    if (told.length > TOLD) told.shift();
    if (!record) violated(`${name} wrote what is no record: ${line}`);
    else if (record['event'] === 'server_started') url = String(record['address']);
    else if (record['event'] === 'worker_started') url = '';
    else if (record['event'] === 'redis_degraded') degraded = true;
    else if (record['event'] === 'redis_recovered') {
      degraded = false;
      aloneUntil = performance.now();
    } else if (UNFORESEEN.has(String(record['event']))) violated(`${name} wrote ${line}`);
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    violated(`${name} wrote to standard error: ${line}`);
  });
  const exited = once(child, 'exit').then(([code, signal]) => {
    running.delete(child);
    const isOrderly = member.mayEnd && (code === 0 || (code === null && member.wasKilled));
    if (!isOrderly) violated(`${name} ended with ${String(code ?? signal)}`);
    wire?.close();
    return code as number | null;
  });

  const member: Member = {
    name,
    get url() {
      return url ?? '';
    },
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    pid: child.pid ?? 0,
    wire,
    wasAloneSince: (instant) => degraded || aloneUntil > instant,
    mayEnd: false,
    wasKilled: false,
    told,
    exited,
    kill(signal) {
      if (signal === 'SIGKILL') member.wasKilled = true;
      if (signal === 'SIGKILL' || signal === 'SIGTERM') member.mayEnd = true;
      child.kill(signal);
    },
    read(isRead) {
      if (isRead) child.stdout.resume();
      else child.stdout.pause();
    },
    async residentBytes() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
    },
  };
  const deadline = performance.now() + START_LIMIT_MS;
  while (url === undefined) {
    if (performance.now() > deadline || child.exitCode !== null) {
      member.kill('SIGKILL');
      throw new Error(`${name} did not start`);
    }
    await sleep(25);
  }
  return member;
}

function recordIn(line: string): Record<string, unknown> | undefined {
  try {
    return Object(JSON.parse(line)) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchOver } from './children.js';

/** A log record as the process wrote it. */
export type LogRecord = Record<string, unknown> & {
  timestamp: string;
  level: string;
  event: string;
};

/** One process of the built service: a replica or a worker. */
export interface Service {
  /** Base URL of a replica; empty for a worker. */
  readonly url: string;
  readonly pid: number;
  /** Every record so far, oldest first. */
  readonly records: LogRecord[];
  /** Lines that were no record, and all of standard error. */
  readonly noise: string[];
  /** The records with an event. */
  of(event: string): LogRecord[];
  /** Waits for a record with an event that satisfies the condition. */
  waitFor(
    event: string,
    test?: (record: LogRecord) => boolean,
    limitMs?: number,
  ): Promise<LogRecord>;
  kill(signal: NodeJS.Signals): void;
  /** Ends it with SIGTERM (SIGKILL after a while) and tells its exit code. */
  stop(): Promise<number | null>;
  readonly exited: Promise<number | null>;
}

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const START_LIMIT_MS = 30_000;

/** Variables that every test process starts from: nothing of the tester's own environment. */
const BASE = {
  PATH: process.env['PATH'] ?? '',
  HOST: '127.0.0.1',
  PORT: '0',
  RATE_LIMIT_PER_IP: '0',
  RATE_LIMIT_TOTAL: '0',
  // Production demands 32 characters.
  SESSION_SECRET_KEY: 'test-key-'.repeat(4),
  SHUTDOWN_TIMEOUT_MS: '4000',
};

/** Starts `node dist/server.js` and waits until it listens. */
export async function startReplica(
  env: Record<string, string> = {},
  prefix: string[] = [],
): Promise<Service> {
  const service = launch('server.js', env, prefix);
  const started = await orKill(service, 'server_started');
  return Object.assign(service, { url: String(started['address']) });
}

/** Starts `node dist/worker.js` and waits until it runs. */
export async function startWorker(
  env: Record<string, string> = {},
  prefix: string[] = [],
): Promise<Service> {
  const service = launch('worker.js', env, prefix);
  await orKill(service, 'worker_started');
  return service;
}

/** A process that does not start must not outlive the test that wanted it. */
async function orKill(service: Service, event: string): Promise<LogRecord> {
  try {
    return await service.waitFor(event, undefined, START_LIMIT_MS);
  } catch (error) {
    service.kill('SIGKILL');
    throw error;
  }
}

/** Starts an entry point and waits for nothing. `prefix`: a command to run it under. */
export function launch(
  entry: 'server.js' | 'worker.js',
  env: Record<string, string>,
  prefix: string[] = [],
): Service {
  const [command, ...args] = [...prefix, process.execPath, DIST + entry];
  const child = spawn(command, args, {
    env: { ...BASE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  watchOver(child);
  const records: LogRecord[] = [];
  const noise: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    try {
      records.push(JSON.parse(line) as LogRecord);
    } catch {
      noise.push(line);
    }
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    noise.push(line);
  });
  const exited = once(child, 'close').then(([code]) => code as number | null);

  return {
    url: '',
    pid: child.pid ?? 0,
    records,
    noise,
    exited,
    of: (event) => records.filter((record) => record.event === event),
    async waitFor(event, test = () => true, limitMs = 15_000) {
      const deadline = Date.now() + limitMs;
      for (;;) {
        const found = records.find((record) => record.event === event && test(record));
        if (found) return found;
        if (child.exitCode !== null || Date.now() > deadline) {
          throw new Error(
            `no record ${event}; exit code ${String(child.exitCode)}; ` +
              `records: ${JSON.stringify(records.slice(-20))}; output: ${noise.join('\n')}`,
          );
        }
        await sleep(20);
      }
    },
    kill: (signal) => void child.kill(signal),
    async stop() {
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
      const code = await exited;
      clearTimeout(timer);
      return code;
    },
  };
}

/** Variables that point every provider at one stand-in. */
export function providersAt(url: string): Record<string, string> {
  return {
    WEATHER_PROVIDERS: 'open-meteo,met-norway',
    OPEN_METEO_URL: url,
    OPEN_METEO_GEOCODING_URL: url,
    MET_NORWAY_URL: url,
  };
}

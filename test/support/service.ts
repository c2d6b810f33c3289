import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UPSTREAMS, urlVariable } from '../../src/config/providers.js';
import { startProgram, type LogRecord, type Program } from './processes.js';

export type { LogRecord } from './processes.js';

/** One process of the built service: a replica or a worker. */
export interface Service extends Program {
  /** Base URL of a replica; empty for a worker. */
  readonly url: string;
}

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
/** Milliseconds until a process must have started, also on a busy machine. */
const START_LIMIT_MS = 120_000;

/** How a process is started, if not as usual. */
export interface Start {
  /** The folder with the entry points of another version. */
  dist?: string;
  /** The arguments of the entry point. */
  args?: string[];
}

/** The variables of every process of a test. It gets no other variables of the environment. */
export const BASE = {
  PATH: process.env['PATH'] ?? '',
  HOST: '127.0.0.1',
  PORT: '0',
  RATE_LIMIT_PER_IP: '0',
  RATE_LIMIT_TOTAL: '0',
  // Production demands 32 characters.
  SESSION_SECRET_KEY: 'test-key-'.repeat(4),
  SHUTDOWN_TIMEOUT_MS: '4000',
  // Loading the package takes half a second of each start on a busy machine.
  MCP_ENABLED: 'false',
  // Those of production. By default, the service counts only calls to the public hosts.
  PROVIDER_BUDGETS: 'open-meteo=600/60,5000/3600,10000/86400;met-norway=20/1',
};

/** Starts `node dist/server.js` and waits until it listens. */
export async function startReplica(
  env: Record<string, string> = {},
  start: Start = {},
): Promise<Service> {
  const service = launch('server.js', env, start);
  const started = await orKill(service, 'server_started');
  return Object.assign(service, { url: String(started['address']) });
}

/** Starts `node dist/worker.js` and waits until it runs. */
export async function startWorker(
  env: Record<string, string> = {},
  start: Start = {},
): Promise<Service> {
  const service = launch('worker.js', env, start);
  await orKill(service, 'worker_started');
  return service;
}

/** Waits until a process has started. Kills it if it does not start. */
async function orKill(service: Service, event: string): Promise<LogRecord> {
  try {
    return await service.waitFor(event, undefined, START_LIMIT_MS);
  } catch (error) {
    service.kill('SIGKILL');
    throw error;
  }
}

/** Starts an entry point. Does not wait until it has started. */
export function launch(
  entry: 'server.js' | 'worker.js',
  env: Record<string, string>,
  { dist = DIST, args = [] }: Start = {},
): Service {
  const command = [process.execPath, join(dist, entry), ...args];
  return { ...startProgram(command, { ...BASE, ...env }), url: '' };
}

/** Variables that set the address of every provider to the one of the stub provider. */
export function providersAt(url: string): Record<string, string> {
  return {
    WEATHER_PROVIDERS: 'open-meteo,met-norway',
    ...Object.fromEntries(UPSTREAMS.map(([name]) => [urlVariable(name), url])),
  };
}

import { fileURLToPath } from 'node:url';
import { UPSTREAMS, urlVariable } from '../../src/config/providers.js';
import { startProgram, type LogRecord, type Program, type ProgramOptions } from './processes.js';

export type { LogRecord } from './processes.js';

/** One process of the built service: a replica or a worker. */
export interface Service extends Program {
  /** Base URL of a replica; empty for a worker. */
  readonly url: string;
}

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const START_LIMIT_MS = 30_000;

/** The entry points. */
export type Entry = 'server.js' | 'worker.js';

/**
 * What the public hosts of the two providers in use allow, as production counts it by default. Tests
 * point the providers elsewhere, where nothing would be counted without it.
 */
export const PRODUCTION_BUDGETS = 'open-meteo=600/60,5000/3600,10000/86400;met-norway=20/1';

/** Variables that every test process starts from: nothing of the tester's own environment. */
export const BASE = {
  PATH: process.env['PATH'] ?? '',
  HOST: '127.0.0.1',
  PORT: '0',
  RATE_LIMIT_PER_IP: '0',
  RATE_LIMIT_TOTAL: '0',
  // Production demands 32 characters.
  SESSION_SECRET_KEY: 'test-key-'.repeat(4),
  SHUTDOWN_TIMEOUT_MS: '4000',
  PROVIDER_BUDGETS: PRODUCTION_BUDGETS,
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
  entry: Entry,
  env: Record<string, string>,
  prefix: string[] = [],
  options: Omit<ProgramOptions, 'env'> = {},
): Service {
  const command = [...prefix, process.execPath, DIST + entry];
  return { ...startProgram(command, { ...options, env: { ...BASE, ...env } }), url: '' };
}

/** Variables that point every provider at one stand-in. */
export function providersAt(url: string): Record<string, string> {
  return {
    WEATHER_PROVIDERS: 'open-meteo,met-norway',
    ...Object.fromEntries(UPSTREAMS.map(([name]) => [urlVariable(name), url])),
  };
}

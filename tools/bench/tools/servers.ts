import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startRedis, type RedisServer } from '../../../test/support/redis-server.js';
import { providersAt } from '../../../test/support/service.js';
import { buildRelease, distOf, RELEASES } from '../../../test/upgrade/releases.js';
import { compileProgram } from './compile.js';
import { ownLoad, cookiesOf } from './own-load.js';
import { startNode, type Program } from './processes.js';
import { getRequest, ORIGIN, PLAIN_PATH } from './requests.js';

/** A process that listens. */
export interface Server extends Program {
  readonly port: number;
  /** Where it tells its metrics; 0 where it has none. */
  readonly metricsPort: number;
  /** Milliseconds from spawning it to its first good answer. */
  readonly readyAfterMs: number;
}

const START_LIMIT_MS = 30_000;
const POLL_MS = 4;

/** As the Deployments start both processes: production, a heap limit, metrics, one proxy in front. */
const NODE_FLAGS = ['--enable-source-maps', '--max-old-space-size=256', '--max-semi-space-size=32'];
const WORKER_FLAGS = [
  '--enable-source-maps',
  '--max-old-space-size=128',
  '--max-semi-space-size=2',
];
const AS_DEPLOYED = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'INFO',
  TRUST_PROXY: '1',
  RUN_WORKER: 'false',
  REPLICAS_HINT: '12',
  READINESS_REQUIRES_REDIS: 'false',
  REQUEST_TIMEOUT_MS: '115000',
  SESSION_SECRET_KEY: 'a-key-for-the-benchmark-of-64-letters-0123456789abcdef0123456789',
  CORS_ORIGINS: ORIGIN,
};

/** Both limits are on, and no load reaches them. */
export const HIGH_LIMITS = {
  RATE_LIMIT_PER_IP: '1000000',
  RATE_LIMIT_PER_IP_WINDOW_SECONDS: '1',
  RATE_LIMIT_TOTAL: '1000000',
  RATE_LIMIT_TOTAL_WINDOW_SECONDS: '1',
};
/** Windows as production has them, too large to refuse a call. */
const HIGH_BUDGETS = {
  PROVIDER_BUDGETS: 'open-meteo=10000000/60,10000000/3600,10000000/86400',
};
/** What is cached stays so for the whole run. */
export const LONG_CACHE = { CACHE_TTL_SECONDS: '86400' };

/** The folder with the entry points of the last release; it is built unless it is there. */
export function lastRelease(): string {
  buildRelease(RELEASES[0]!);
  return distOf(RELEASES[0]!);
}

/**
 * A replica as it is deployed.
 * @param dist the folder with its entry point
 */
export async function startReplica(env: Record<string, string>, dist = 'dist'): Promise<Server> {
  const metricsPort = await freePort();
  const started = await startServer([...NODE_FLAGS, `${dist}/server.js`], '/api/v1/health/ready', {
    ...AS_DEPLOYED,
    METRICS_PORT: String(metricsPort),
    ...env,
  });
  return { ...started, metricsPort };
}

/** A replica as a developer starts it: in memory, with invented weather. */
export function startMemoryReplica(env: Record<string, string>): Promise<Server> {
  const flags = ['--enable-source-maps'];
  return startServer([...flags, 'dist/server.js'], '/api/v1/health/ready', {
    HOST: '127.0.0.1',
    WEATHER_PROVIDERS: 'demo',
    CORS_ORIGINS: ORIGIN,
    ...env,
  });
}

/** A worker as it is deployed. */
export async function startWorker(env: Record<string, string>, dist = 'dist'): Promise<Server> {
  const port = await freePort();
  const program = startNode([...WORKER_FLAGS, `${dist}/worker.js`], {
    ...AS_DEPLOYED,
    METRICS_PORT: String(port),
    ...env,
  });
  const readyAfterMs = await untilReady(program, port, '/healthz');
  return { ...program, port, metricsPort: port, readyAfterMs };
}

/** One of the programs of `programs/`. */
export function startProgram(
  name: 'bare' | 'minimal' | 'straightforward' | 'instant-provider' | 'hop',
  env: Record<string, string> = {},
): Promise<Server> {
  const ready = name === 'instant-provider' ? '/calls' : PLAIN_PATH;
  return startServer([compileProgram(name)], ready, {
    NODE_ENV: 'production',
    SESSION_SECRET_KEY: AS_DEPLOYED.SESSION_SECRET_KEY,
    ...env,
  });
}

/** Everything for lookups with Redis, on servers of its own. */
export interface Stack {
  redis: RedisServer;
  provider: Server;
  replica: Server;
  worker: Server;
  stop(): Promise<void>;
}

/** Redis, a provider that answers at once, a worker and a replica. */
export async function startStack(env: Record<string, string> = {}, dist = 'dist'): Promise<Stack> {
  const redis = await startRedis();
  const provider = await startProgram('instant-provider');
  const shared = {
    REDIS_URL: redis.url,
    ...providersAt(`http://127.0.0.1:${provider.port}`),
    ...HIGH_LIMITS,
    ...HIGH_BUDGETS,
    ...env,
  };
  const worker = await startWorker(shared, dist);
  const replica = await startReplica(shared, dist);
  return {
    redis,
    provider,
    replica,
    worker,
    async stop() {
      for (const server of [replica, worker, provider, redis]) await server.stop();
    },
  };
}

/** The cookies of a new session. */
export async function newSession(port: number, headers: Record<string, string> = {}) {
  let cookies = '';
  const requests = [getRequest(PLAIN_PATH, headers)];
  await ownLoad({
    port,
    connections: 1,
    next: () => requests.pop(),
    onAnswer({ head, status }) {
      if (status !== 200) throw new Error(`the first request was answered:\n${head}`);
      cookies = cookiesOf(head);
    },
  });
  return cookies;
}

async function startServer(
  args: string[],
  readyPath: string,
  env: Record<string, string>,
): Promise<Server> {
  const port = await freePort();
  const program = startNode(args, { PORT: String(port), ...env });
  const readyAfterMs = await untilReady(program, port, readyPath);
  return { ...program, port, metricsPort: 0, readyAfterMs };
}

async function untilReady(program: Program, port: number, path: string): Promise<number> {
  const deadline = performance.now() + START_LIMIT_MS;
  while (program.isRunning() && performance.now() < deadline) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      const readyAt = performance.now();
      await response.arrayBuffer();
      if (response.ok) return readyAt - program.spawnedAt;
    } catch {
      // It does not listen yet.
    }
    await sleep(POLL_MS);
  }
  await program.stop();
  throw new Error(`a server did not start: ${program.lastWords()}`);
}

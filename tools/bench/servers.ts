import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startRedis, type RedisServer } from '../../test/support/redis-server.js';
import { providersAt } from '../../test/support/service.js';

import { startNode, type Program } from './bench-process.js';
import { getRequest, ORIGIN, SEATTLE } from './requests.js';
import { cookiesOf, sendRequests } from './send-requests.js';

/** A process that listens. */
export interface Server extends Program {
  readonly port: number;
  /** Milliseconds from its start to its first response with a status of 200. */
  readonly readyAfterMs: number;
}

const START_LIMIT_MS = 30_000;
const POLL_MS = 4;

/** The flags and variables of the manifests. */
const REPLICA_FLAGS = ['--max-old-space-size=256', '--max-semi-space-size=32'];
const AS_DEPLOYED = {
  NODE_ENV: 'production',
  TRUST_PROXY: '1',
  REPLICAS_HINT: '1',
  READINESS_REQUIRES_REDIS: 'false',
  SESSION_SECRET_KEY: 'a-key-for-the-benchmark-of-64-letters-0123456789abcdef0123456789',
};

/** Limits, budgets, and a cache TTL that no load of the benchmark reaches. */
const UNREACHED = {
  RATE_LIMIT_PER_IP: '1000000',
  RATE_LIMIT_PER_IP_WINDOW_SECONDS: '1',
  RATE_LIMIT_TOTAL: '1000000',
  RATE_LIMIT_TOTAL_WINDOW_SECONDS: '1',
  PROVIDER_BUDGETS: 'open-meteo=10000000/60,10000000/3600,10000000/86400',
  CACHE_TTL_SECONDS: '86400',
};

/**
 * A replica as it is deployed.
 * @param dist the folder with its entry point
 */
export function startReplica(dist: string, env: Record<string, string>): Promise<Server> {
  return startServer([...REPLICA_FLAGS, `${dist}/server.js`], '/api/v1/health/ready', {
    ...AS_DEPLOYED,
    HOST: '127.0.0.1',
    CORS_ORIGINS: ORIGIN,
    ...UNREACHED,
    ...env,
  });
}

/** A replica in memory, with invented weather, as a developer starts it. */
export function startMemoryReplica(dist: string): Promise<Server> {
  return startReplica(dist, { NODE_ENV: 'development', WEATHER_PROVIDERS: 'demo' });
}

/** A weather provider that responds at once. Its CPU time is not measured. */
function startProvider(): Promise<Server> {
  const path = join(import.meta.dirname, 'programs/instant-provider.js');
  return startServer([path], '/calls', {});
}

/** The least program with Koa and Redis, with its own Redis. */
export async function startKoaWithRedis() {
  const redis = await startRedis();
  const path = join(import.meta.dirname, 'programs/koa-with-redis.js');
  const server = await startServer([path], '/', {
    ...{ NODE_ENV: 'production', REDIS_URL: redis.url },
  });
  return {
    server,
    redis,
    async stop() {
      for (const each of [server, redis]) await each.stop();
    },
  };
}

/** A replica with its own Redis, and a provider that responds at once. */
export interface Stack {
  redis: RedisServer;
  provider: Server;
  replica: Server;
  stop(): Promise<void>;
}

/** @param env further variables of the replica */
export async function startStack(dist: string, env: Record<string, string> = {}): Promise<Stack> {
  const redis = await startRedis();
  const provider = await startProvider();
  const url = `http://127.0.0.1:${provider.port}`;
  const replica = await startReplica(dist, { REDIS_URL: redis.url, ...providersAt(url), ...env });
  return {
    redis,
    provider,
    replica,
    async stop() {
      for (const server of [replica, provider, redis]) await server.stop();
    },
  };
}

/** The cookies of a new session. */
export async function newSession({ port }: Server): Promise<string> {
  const [response] = await sendRequests(port, [getRequest(SEATTLE)], { connections: 1 });
  return cookiesOf(response!.head);
}

async function startServer(
  args: string[],
  readyPath: string,
  env: Record<string, string>,
): Promise<Server> {
  const port = await freePort();
  const program = startNode(args, { ...env, PORT: String(port) });
  return { ...program, port, readyAfterMs: await untilReady(program, port, readyPath) };
}

async function untilReady(program: Program, port: number, path: string): Promise<number> {
  const deadline = performance.now() + START_LIMIT_MS;
  while (program.isRunning() && performance.now() < deadline) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
    const readyAt = performance.now();
    await response?.arrayBuffer();
    if (response?.ok) return readyAt - program.startedAt;
    await sleep(POLL_MS);
  }
  await program.stop();
  throw new Error(`a server did not start: ${program.lastOutput()}`);
}

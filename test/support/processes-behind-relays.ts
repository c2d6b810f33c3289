import type { Lifetime } from './lifetime.js';
import { becomesReady } from './readiness.js';
import { startRedis, type RedisServer } from './redis-server.js';
import { startRelay, type Relay } from './relay.js';
import type { Service } from './service.js';
import { startProcesses, type Processes } from './stack.js';

export interface ProcessesBehindRelays extends Processes {
  readonly redis: RedisServer;
  /** The relay between each process and Redis: replicas first, then workers. */
  readonly relays: Relay[];
}

/** Starts processes that use one Redis, each through a relay of its own, and waits until they are ready. */
export async function startBehindRelays(
  t: Lifetime,
  options: { replicas: number; workers: number; env?: Record<string, string> },
): Promise<ProcessesBehindRelays> {
  const redis = await startRedis();
  const processes = await startProcesses(t, {
    ...{ replicas: 0, workers: 0, env: options.env ?? {}, store: redis },
  });
  const relays: Relay[] = [];
  async function start(add: (env: Record<string, string>) => Promise<Service>, count: number) {
    for (let n = 0; n < count; n += 1) {
      const relay = await startRelay(t, redis.port);
      relays.push(relay);
      await add({ REDIS_URL: `redis://127.0.0.1:${relay.port}` });
    }
  }
  await start((env) => processes.addReplica(env), options.replicas);
  await start((env) => processes.addWorker(env), options.workers);
  await Promise.all(processes.replicas.map((replica) => becomesReady(replica)));
  return Object.assign(processes, { redis, relays });
}

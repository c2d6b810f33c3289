import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { anyClient } from './http-client.js';
import type { Lifetime } from './lifetime.js';
import { burst } from './load.js';
import { placePath } from './places.js';
import { becomesReady, readiness } from './readiness.js';
import { startRedisCluster } from './redis-cluster.js';
import { startRedis, type RedisServer } from './redis-server.js';
import { startRelay, type Relay } from './relay.js';
import type { LogRecord, Service } from './service.js';
import { startProcesses, type Processes } from './stack.js';

export { anyClient };

/** The topology of Redis. */
export type Topology = 'single' | 'cluster';

interface DelayedStore {
  env: Record<string, string>;
  /** The relays in front of the servers that reply. */
  relays: Relay[];
  servers: RedisServer[];
  stop: () => Promise<void>;
}

/** Clients reach each server only through a relay, because its address is the announced one. */
const start: Record<Topology, (t: Lifetime) => Promise<DelayedStore>> = {
  async single(t) {
    const redis = await startRedis();
    const relay = await startRelay(t, redis.port);
    const env = { REDIS_URL: `redis://127.0.0.1:${relay.port}` };
    return { env, relays: [relay], servers: [redis], stop: () => redis.stop() };
  },
  async cluster(t) {
    const cluster = await startRedisCluster();
    const relays = await Promise.all(cluster.nodes.map(({ port }) => startRelay(t, port)));
    const ports = relays.map(({ port }) => port);
    await cluster.announce(ports);
    const env = { REDIS_CLUSTER_NODES: ports.map((port) => `127.0.0.1:${port}`).join(',') };
    return { env, relays, servers: cluster.nodes, stop: () => cluster.stop() };
  },
};

/** Starts replicas with a relay in front of their Redis, waits until they are ready, and caches the first places. */
export async function startBehindRelay(
  t: Lifetime,
  options: {
    replicas: number;
    workers?: number;
    env: Record<string, string>;
    places: number;
    topology?: Topology;
  },
): Promise<
  Processes &
    Pick<DelayedStore, 'relays' | 'servers'> & { relay: Pick<Relay, 'delayBy' | 'trickle'> }
> {
  const { env, relays, servers, stop } = await start[options.topology ?? 'single'](t);
  const processes = await startProcesses(t, {
    replicas: options.replicas,
    workers: options.workers ?? 0,
    env: { ...env, ...options.env },
    store: { stop },
  });
  for (const replica of processes.replicas) {
    await becomesReady(replica);
    const urls = Array.from({ length: options.places }, (_, n) => replica.url + placePath(n));
    const headers = anyClient(16_000_000);
    for (const { status } of await burst(urls, { headers })) assert.equal(status, 200);
  }
  const relay: Pick<Relay, 'delayBy' | 'trickle'> = {
    delayBy(milliseconds, jitterMs) {
      for (const each of relays) each.delayBy(milliseconds, jitterMs);
    },
    trickle(milliseconds) {
      for (const each of relays) each.trickle(milliseconds);
    },
  };
  return Object.assign(processes, { relay, relays, servers });
}

const CHANGES = ['redis_unavailable', 'redis_recovered'];

/** The records of a process that report a change of the availability of Redis, in order. */
export const changesOf = ({ records }: Service): LogRecord[] =>
  records.filter(({ event }) => CHANGES.includes(event));

/** Whether Redis is available, by the last of these records. */
export const hasRecovered = (service: Service): boolean =>
  changesOf(service).at(-1)?.event !== 'redis_unavailable';

/** Polls the readiness probe until it is stopped. @returns each status */
export function watchReadiness(replicas: Service[]): { stop(): Promise<number[]> } {
  const seen = new Set<number>();
  let stopping = false;
  async function watch(replica: Service): Promise<void> {
    while (!stopping) {
      seen.add(await readiness(replica));
      await sleep(50);
    }
  }
  const watching = replicas.map(watch);
  return {
    async stop() {
      stopping = true;
      await Promise.all(watching);
      return [...seen];
    },
  };
}

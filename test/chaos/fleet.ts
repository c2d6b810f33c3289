import type { Redis } from 'ioredis';
import type { Lifetime } from '../support/lifetime.js';
import { startRedisCluster } from '../support/redis-cluster.js';
import { startSentinelSet } from '../support/redis-sentinel.js';
import { administer, startRedis, type RedisServer } from '../support/redis-server.js';
import { startRelay, type Relay } from '../support/relay.js';
import type { Service } from '../support/service.js';
import { startProcesses } from '../support/stack.js';

export type Topology = 'a single server' | 'sentinels' | 'a cluster';

export const LIMIT = 20;
export const REQUEST_TIMEOUT_MS = 8000;
const ENV = {
  TRUST_PROXY: '1',
  RATE_LIMIT_PER_IP: String(LIMIT),
  RATE_LIMIT_PER_IP_WINDOW_SECONDS: '10',
  REPLICAS_HINT: '2',
  REQUEST_TIMEOUT_MS: String(REQUEST_TIMEOUT_MS),
  UPSTREAM_TIMEOUT_MS: '2000',
  SHUTDOWN_DELAY_MS: '300',
  SHUTDOWN_TIMEOUT_MS: '9000',
};

interface Store {
  env: Record<string, string>;
  /** A server that accepts writes now. In a cluster: the next master. */
  current(): Promise<RedisServer>;
  /** The only server. Processes reach it through relays. */
  single?: RedisServer;
  masters?: RedisServer[];
  /** All servers, also those that accept no writes now. */
  servers: RedisServer[];
  stop(): Promise<void>;
}

const STARTS: Record<Topology, () => Promise<Store>> = {
  'a single server': async () => {
    const single = await startRedis();
    const current = () => Promise.resolve(single);
    return { env: {}, current, single, servers: [single], stop: () => single.stop() };
  },
  sentinels: async () => {
    const set = await startSentinelSet();
    const env = { REDIS_SENTINELS: set.addresses, REDIS_SENTINEL_MASTER: set.master };
    return { ...set, env };
  },
  'a cluster': async () => {
    const cluster = await startRedisCluster();
    const { nodes } = cluster;
    let next = 0;
    const current = () => Promise.resolve(nodes[next++ % nodes.length]!);
    const env = { REDIS_CLUSTER_NODES: cluster.addresses };
    return { env, current, masters: nodes, servers: nodes, stop: () => cluster.stop() };
  },
};

export type Fleet = Awaited<ReturnType<typeof startFleet>>;

/** Starts two replicas and a worker, each with a relay of its own in front of a single server. */
export async function startFleet(t: Lifetime, topology: Topology) {
  const store = await STARTS[topology]();
  const env = { ...ENV, ...store.env };
  const processes = await startProcesses(t, { replicas: 0, workers: 0, env, store });
  const relays: Relay[] = [];
  const running = { replicas: [] as Service[], workers: [] as Service[] };
  const add = async (kind: 'replicas' | 'workers') => {
    let url = {};
    if (store.single) {
      const relay = await startRelay(t, store.single.port);
      relays.push(relay);
      url = { REDIS_URL: `redis://127.0.0.1:${relay.port}` };
    }
    const isReplica = kind === 'replicas';
    running[kind].push(await (isReplica ? processes.addReplica(url) : processes.addWorker(url)));
  };
  for (const kind of ['replicas', 'replicas', 'workers'] as const) await add(kind);
  return {
    /** The processes that run now. */
    ...running,
    /** Processes that a fault has killed. Their requests in flight get no response. */
    killed: new Set<Service>(),
    upstream: processes.upstream,
    /** The relays between the processes and a single server. Otherwise empty. */
    relays,
    redis: () => store.current(),
    /** Runs a command on all servers that accept writes now. @throws its errors */
    async command<T>(run: (redis: Redis) => Promise<T>): Promise<T[]> {
      const servers = store.masters ?? [await store.current()];
      return Promise.all(servers.map((server) => administer(server, run)));
    },
    /** Sets `maxmemory` of all servers, so that it applies after a failover, too. */
    async limitMemory(bytes: string) {
      for (const server of store.servers) {
        await administer(server, (redis) => redis.config('SET', 'maxmemory', bytes));
      }
    },
    add,
  };
}

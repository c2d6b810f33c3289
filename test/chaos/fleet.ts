import type { Redis } from 'ioredis';
import { startRedisCluster } from '../support/redis-cluster.js';
import { administer, startRedis, type RedisServer } from '../support/redis-server.js';
import { startSentinelSet } from '../support/redis-sentinel.js';
import { providersAt } from '../support/service.js';
import { startStubProvider, type StubProvider } from '../support/stub-provider.js';
import { openRelay } from '../support/relay.js';
import { launchMember, type Member } from './member.js';

export const STORES = ['single', 'sentinel', 'cluster'] as const;
export type StoreKind = (typeof STORES)[number];

export const LIMITS = { perIp: 20, windowSeconds: 10 };
export const REQUEST_TIMEOUT_MS = 8000;

/** All processes of one run. */
export interface Fleet {
  readonly replicas: Member[];
  readonly workers: Member[];
  readonly provider: StubProvider;
  /** A server that accepts writes now. In a cluster: the next master. */
  redis(): Promise<RedisServer>;
  /** Runs a command on all servers that accept writes now. @throws its errors */
  command<T>(run: (redis: Redis) => Promise<T>): Promise<T[]>;
  readonly store: StoreKind;
  addReplica(): Promise<Member>;
  addWorker(): Promise<Member>;
  stop(): Promise<void>;
}

const ENV = {
  NODE_ENV: 'production',
  RUN_WORKER: 'false',
  TRUST_PROXY: '1',
  RATE_LIMIT_PER_IP: String(LIMITS.perIp),
  RATE_LIMIT_PER_IP_WINDOW_SECONDS: String(LIMITS.windowSeconds),
  RATE_LIMIT_TOTAL: '0',
  REPLICAS_HINT: '2',
  REQUEST_TIMEOUT_MS: String(REQUEST_TIMEOUT_MS),
  UPSTREAM_TIMEOUT_MS: '2000',
  SHUTDOWN_DELAY_MS: '300',
  SHUTDOWN_TIMEOUT_MS: '10000',
  UPSTREAM_USER_AGENT: 'chaos/1 (test)',
};

export async function startFleet(options: {
  store: StoreKind;
  replicas: number;
  workers: number;
  violated: (what: string) => void;
}): Promise<Fleet> {
  const { store, violated } = options;
  const provider = await startStubProvider();
  const single = store === 'single' ? await startRedis() : undefined;
  const set = store === 'sentinel' ? await startSentinelSet() : undefined;
  const cluster = store === 'cluster' ? await startRedisCluster() : undefined;
  let turn = 0;
  const redis = async () =>
    (await set?.current()) ?? single ?? cluster!.nodes[turn++ % cluster!.nodes.length]!;
  let count = 0;

  async function launch(entry: 'server.js' | 'worker.js'): Promise<Member> {
    count += 1;
    const wire = single && (await openRelay(single.port));
    const address = {
      ...(wire && { REDIS_URL: `redis://127.0.0.1:${wire.port}` }),
      ...(set && { REDIS_SENTINELS: set.addresses, REDIS_SENTINEL_MASTER: set.master }),
      ...(cluster && { REDIS_CLUSTER_NODES: cluster.addresses }),
    };
    const env = { ...ENV, ...providersAt(provider.url), ...address };
    const name = `${entry === 'server.js' ? 'replica' : 'worker'}${count}`;
    return launchMember({ name, entry, env, wire, violated });
  }
  async function add(list: Member[], entry: 'server.js' | 'worker.js'): Promise<Member> {
    const member = await launch(entry);
    list.push(member);
    return member;
  }

  const fleet: Fleet = {
    replicas: [],
    workers: [],
    provider,
    store,
    redis,
    command: async (run) =>
      Promise.all((cluster?.nodes ?? [await redis()]).map((node) => administer(node, run))),
    addReplica: () => add(fleet.replicas, 'server.js'),
    addWorker: () => add(fleet.workers, 'worker.js'),
    async stop() {
      const members = [...fleet.replicas, ...fleet.workers];
      for (const member of members) member.kill('SIGTERM');
      const killer = setTimeout(() => {
        for (const member of members) member.kill('SIGKILL');
      }, 20_000);
      await Promise.all(members.map(({ exited }) => exited));
      clearTimeout(killer);
      await provider.close();
      await (single ?? set ?? cluster)?.stop();
    },
  };
  for (let n = 0; n < options.replicas; n += 1) await fleet.addReplica();
  for (let n = 0; n < options.workers; n += 1) await fleet.addWorker();
  return fleet;
}

import { spawnSync } from 'node:child_process';
import calculateSlot from 'cluster-key-slot';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, type RedisServer } from './redis-server.js';

export interface RedisCluster {
  /** `host:port,…` as in `REDIS_CLUSTER_NODES`. */
  readonly addresses: string;
  readonly nodes: RedisServer[];
  /** The node that serves a key. */
  nodeOf(key: string): Promise<RedisServer>;
  /** Moves a key's slot to another node, one key after the other, as an operator's tool does. */
  moveSlotOf(key: string): Promise<void>;
  stop(): Promise<void>;
}

const MASTERS = 3;
const START_LIMIT_MS = 20_000;

/** Three masters without replicas. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const args = [
    ...['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000'],
    // A shard that is away must not take the others with it.
    ...['--cluster-require-full-coverage', 'no'],
  ];
  const nodes = await Promise.all(Array.from({ length: MASTERS }, () => startRedis({ args })));
  const list = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const created = spawnSync('redis-cli', ['--cluster', 'create', ...list, '--cluster-yes'], {
    encoding: 'utf8',
  });
  if (created.status !== 0) throw new Error(`no cluster: ${created.stdout}${created.stderr}`);
  await Promise.all(nodes.map(({ port }) => isWhole(port)));

  async function nodeOf(key: string): Promise<RedisServer> {
    const slot = calculateSlot(key);
    const slots = (await on(nodes[0]!.port, (redis) => redis.call('CLUSTER', 'SLOTS'))) as [
      number,
      number,
      [string, number],
    ][];
    const range = slots.find(([from, to]) => from <= slot && slot <= to);
    const node = nodes.find(({ port }) => port === range?.[2][1]);
    if (!node) throw new Error(`nobody serves slot ${slot}`);
    return node;
  }

  return {
    addresses: list.join(','),
    nodes,
    nodeOf,
    async moveSlotOf(key) {
      const slot = calculateSlot(key);
      const source = await nodeOf(key);
      const target = nodes.find((node) => node !== source)!;
      const id = ({ port }: RedisServer) => on(port, (redis) => redis.call('CLUSTER', 'MYID'));
      const [sourceId, targetId] = (await Promise.all([id(source), id(target)])) as string[];
      const setSlot = (node: RedisServer, ...state: string[]) =>
        on(node.port, (redis) => redis.call('CLUSTER', 'SETSLOT', slot, ...state));
      await setSlot(target, 'IMPORTING', sourceId!);
      await setSlot(source, 'MIGRATING', targetId!);
      await on(source.port, async (redis) => {
        for (;;) {
          const keys = (await redis.call('CLUSTER', 'GETKEYSINSLOT', slot, 1)) as string[];
          if (keys.length === 0) return;
          for (const name of keys) {
            await redis.call('MIGRATE', '127.0.0.1', target.port, name, 0, 1000);
            await sleep(20);
          }
        }
      });
      for (const node of [target, source]) await setSlot(node, 'NODE', targetId!);
      const third = nodes.find((node) => node !== source && node !== target)!;
      await setSlot(third, 'NODE', targetId!);
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}

async function isWhole(port: number): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  while (!(await on(port, (redis) => redis.cluster('INFO'))).includes('cluster_state:ok')) {
    if (Date.now() > deadline) throw new Error(`the cluster is not whole at port ${port}`);
    await sleep(50);
  }
}

async function on<T>(port: number, run: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(port, '127.0.0.1', { retryStrategy: null });
  try {
    return await run(redis);
  } finally {
    redis.disconnect();
  }
}

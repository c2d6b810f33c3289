import { spawnSync } from 'node:child_process';
import calculateSlot from 'cluster-key-slot';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from './eventually.js';
import { administer, startRedis, type RedisServer } from './redis-server.js';

export { administer } from './redis-server.js';

export type RedisCluster = Awaited<ReturnType<typeof startRedisCluster>>;

const MASTERS = 3;
const START_LIMIT_MS = 20_000;

export interface ClusterOptions {
  /** Replicas of each master. Default: 0. */
  replicas?: number;
  /** `cluster-node-timeout` in milliseconds. */
  nodeTimeoutMs?: number;
}

/** Three masters. */
export async function startRedisCluster(options: ClusterOptions = {}) {
  const { replicas = 0, nodeTimeoutMs = 2000 } = options;
  const args = [
    ...['--cluster-enabled', 'yes', '--cluster-node-timeout', String(nodeTimeoutMs)],
    // If a shard is unavailable, the others stay available.
    ...['--cluster-require-full-coverage', 'no'],
  ];
  const count = MASTERS * (1 + replicas);
  const nodes = await Promise.all(Array.from({ length: count }, () => startRedis({ args })));
  const list = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const created = spawnSync(
    'redis-cli',
    ['--cluster', 'create', ...list, '--cluster-replicas', String(replicas), '--cluster-yes'],
    { encoding: 'utf8' },
  );
  if (created.status !== 0) throw new Error(`no cluster: ${created.stdout}${created.stderr}`);
  /** Waits until each node knows a master for all slots, and each replica is in sync. */
  const whole = async () => {
    await Promise.all(nodes.map(isWhole));
  };
  await whole();

  const firstMasters = nodes.slice(0, MASTERS);
  const removed: RedisServer[] = [];

  /** The node that serves a key. */
  async function nodeOf(key: string): Promise<RedisServer> {
    const slot = calculateSlot(key);
    const slots = (await Promise.any(
      nodes.map((node) => administer(node, (redis) => redis.call('CLUSTER', 'SLOTS'))),
    )) as [number, number, [string, number]][];
    const range = slots.find(([from, to]) => from <= slot && slot <= to);
    const node = nodes.find(({ port }) => port === range?.[2][1]);
    if (!node) throw new Error(`nobody serves slot ${slot}`);
    return node;
  }

  return {
    /** `host:port,…` as in `REDIS_CLUSTER_NODES`. */
    addresses: list.join(','),
    /** The same, without the replicas of the start. */
    masterAddresses: list.slice(0, MASTERS).join(','),
    /** The masters of the start first, then their replicas, without those that were replaced. */
    nodes,
    nodeOf,
    /** The nodes that are masters now. */
    async masters(): Promise<RedisServer[]> {
      const mastersOfNodes = await Promise.all(nodes.map(masterOf));
      return nodes.filter((_, n) => mastersOfNodes[n] === undefined);
    },
    whole,
    /** Promotes a master's replica, and removes the master, which then is an empty cluster. */
    async replace(master: RedisServer) {
      const id = String(await administer(master, (redis) => redis.call('CLUSTER', 'MYID')));
      const roles = await Promise.all(nodes.map((node) => masterOf(node)));
      const replica = nodes[roles.indexOf(master.port)]!;
      await administer(replica, (redis) => redis.call('CLUSTER', 'FAILOVER'));
      const isReplica = async (node: RedisServer) => {
        const members = await administer(node, (redis) => redis.call('CLUSTER', 'NODES'));
        return new RegExp(`^${id} .*\\bslave `, 'm').test(String(members));
      };
      await eventually(async () => {
        const known = await Promise.all(nodes.map(isReplica));
        return known.every(Boolean);
      }, 'a promotion');
      await whole();
      const { status, stdout, stderr } = spawnSync(
        'redis-cli',
        ['--cluster', 'del-node', `127.0.0.1:${replica.port}`, id],
        { encoding: 'utf8' },
      );
      if (status !== 0) throw new Error(`the master is still a member: ${stdout}${stderr}`);
      nodes.splice(nodes.indexOf(master), 1);
      removed.push(master);
    },
    /** Moves a key's slot to another node, key by key, as `redis-cli --cluster reshard` does. */
    async moveSlotOf(key: string) {
      const slot = calculateSlot(key);
      const source = await nodeOf(key);
      const target = firstMasters.find((node) => node !== source)!;
      const id = (node: RedisServer) => administer(node, (redis) => redis.call('CLUSTER', 'MYID'));
      const [sourceId, targetId] = (await Promise.all([id(source), id(target)])) as string[];
      const setSlot = (node: RedisServer, ...state: string[]) =>
        administer(node, (redis) => redis.call('CLUSTER', 'SETSLOT', slot, ...state));
      await setSlot(target, 'IMPORTING', sourceId!);
      await setSlot(source, 'MIGRATING', targetId!);
      await administer(source, async (redis) => {
        for (;;) {
          const keys = (await redis.call('CLUSTER', 'GETKEYSINSLOT', slot, 1)) as string[];
          if (keys.length === 0) return;
          for (const name of keys) {
            await redis.call('MIGRATE', '127.0.0.1', target.port, name, 0, 1000);
            await sleep(20);
          }
        }
      });
      const others = firstMasters.filter((node) => node !== target);
      for (const node of [target, ...others]) await setSlot(node, 'NODE', targetId!);
    },
    async stop() {
      await Promise.all([...nodes, ...removed].map((node) => node.stop()));
    },
  };
}

/** The port of the master of a replica; undefined for a master. */
async function masterOf(node: RedisServer): Promise<number | undefined> {
  const info = await administer(node, (redis) => redis.info('replication'));
  const [, port] = /^role:slave[^]*^master_port:(\d+)/m.exec(info) ?? [];
  return port === undefined ? undefined : Number(port);
}

function isWhole(node: RedisServer): Promise<void> {
  const state = () =>
    administer(node, (redis) => Promise.all([redis.cluster('INFO'), redis.info('replication')]));
  const holds = async () => {
    const [cluster, replication] = await state();
    const isLinked = !replication.includes('role:slave') || replication.includes('status:up');
    return cluster.includes('cluster_state:ok') && isLinked;
  };
  return eventually(holds, `a whole cluster at port ${node.port}`, START_LIMIT_MS);
}

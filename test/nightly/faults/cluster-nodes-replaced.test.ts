import { describe, it } from 'node:test';
import { workerFetches } from '../../support/coordinated-fetches.js';
import { eventually } from '../../support/eventually.js';
import { names } from '../../support/names.js';
import { becomesReady, hasRecovered } from '../../support/readiness.js';
import { administer, startRedisCluster } from '../../support/redis-cluster.js';
import type { RedisServer } from '../../support/redis-server.js';
import { startProcesses } from '../../support/stack.js';

describe('a cluster of which all configured nodes were replaced one by one', () => {
  it('is still used, for commands and for messages', async (t) => {
    const cluster = await startRedisCluster({ replicas: 1 });
    const env = { REDIS_CLUSTER_NODES: cluster.masterAddresses };
    const processes = await startProcesses(t, { replicas: 2, workers: 1, env, store: cluster });
    const { replicas, workers } = processes;
    await Promise.all(replicas.map((replica) => becomesReady(replica)));
    await workerFetches(processes);

    const isUsedByAll = async (node: RedisServer) => {
      const clients = await administer(node, (redis) => redis.call('CLIENT', 'LIST'));
      // Only health checks send this command.
      return String(clients).split(' cmd=eval ').length > replicas.length + workers.length;
    };
    const allUseAllMasters = async () => {
      const masters = await cluster.masters();
      return (await Promise.all(masters.map(isUsedByAll))).every(Boolean);
    };
    const configured = cluster.nodes.slice(0, 3);
    for (const master of configured) {
      await cluster.replace(master);
      // A cluster that is a few seconds old does not report its replicas. A process that does not
      // know the new master when the last one is removed would then know no member at all.
      await eventually(allUseAllMasters, 'health checks of all masters by all processes');
    }
    await workerFetches(processes);

    const subscribers = async () => {
      const counts = cluster.nodes.map((node) =>
        administer(node, (redis) => redis.pubsub('NUMSUB', names.fetchMessages)),
      );
      return (await Promise.all(counts)).reduce((sum, [, count]) => sum + Number(count), 0);
    };
    // The masters that were replaced still run, and would keep their connections.
    await eventually(async () => (await subscribers()) === replicas.length, 'subscriptions');
    for (const master of configured) await master.kill('SIGKILL');
    await workerFetches(processes);
    // From now on, only the nodes that the cluster reports can be reached.
    for (const node of cluster.nodes) {
      await administer(node, async (redis) => {
        for (const type of ['normal', 'pubsub']) await redis.call('CLIENT', 'KILL', 'TYPE', type);
      });
    }
    await workerFetches(processes);
    await eventually(async () => (await subscribers()) === replicas.length, 'subscriptions');
    const recovered = () => [...replicas, ...workers].every(hasRecovered);
    await eventually(recovered, 'recovered processes');
  });
});

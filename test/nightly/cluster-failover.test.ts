import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerFetches } from '../support/coordinated-fetches.js';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { attempt, startLoad, tally } from '../support/load.js';
import { names, QUEUE } from '../support/names.js';
import { placePath } from '../support/places.js';
import { becomesReady, hasRecovered } from '../support/readiness.js';
import {
  administer,
  startRedisCluster,
  type ClusterOptions,
  type RedisCluster,
} from '../support/redis-cluster.js';
import { freePort, type RedisServer } from '../support/redis-server.js';
import { startProcesses, type Processes } from '../support/stack.js';

const QUEUE_KEY = `${QUEUE}:wait`;
/** A cluster with one replica per master, and processes with metrics. */
async function startOnCluster(
  t: TestContext,
  options: ClusterOptions = {},
): Promise<Processes & { cluster: RedisCluster; unavailable: () => Promise<string[]> }> {
  const cluster = await startRedisCluster({ replicas: 1, ...options });
  const ports = [await freePort(), await freePort(), await freePort()];
  const env = { REDIS_CLUSTER_NODES: cluster.addresses };
  const processes = await startProcesses(t, { replicas: 0, workers: 0, env, store: cluster });
  const [first, second, third] = ports.map((port) => ({ METRICS_PORT: String(port) }));
  await Promise.all([
    processes.addReplica(first),
    processes.addReplica(second),
    processes.addWorker(third),
  ]);
  await Promise.all(processes.replicas.map((replica) => becomesReady(replica)));
  const gauge = async (port: number) => {
    const { text } = await ask(`http://127.0.0.1:${port}/metrics`);
    return /^weather_redis_unavailable (\d)$/m.exec(text)?.[1] ?? '';
  };
  return Object.assign(processes, { cluster, unavailable: () => Promise.all(ports.map(gauge)) });
}

/** Makes the master with the queue unavailable, waits for the new one, and restores the old one. */
async function assertFollowsTheNewMaster(
  t: TestContext,
  signal: 'SIGKILL' | 'SIGSTOP',
): Promise<void> {
  const processes = await startOnCluster(t);
  const { cluster, replicas, workers, url, unavailable } = processes;
  const services = [...replicas, ...workers];
  for (const replica of replicas) for (const n of [0, 1]) await attempt(replica.url + placePath(n));
  await workerFetches(processes);

  const load = startLoad(t, { clients: 4, next: (n) => url(placePath(n % 2)) });
  // The queue and the heartbeat of the workers move to the new master.
  const old = await cluster.nodeOf(QUEUE_KEY);
  await old.kill(signal);
  await eventually(async () => (await cluster.nodeOf(QUEUE_KEY)) !== old, 'a new master');
  await eventually(() => services.every(hasRecovered), 'recovered processes', 45_000);
  assert.deepEqual(await unavailable(), ['0', '0', '0']);
  await workerFetches(processes);
  if (signal === 'SIGKILL') await old.restart();
  else await old.kill('SIGCONT');
  await cluster.whole();
  await workerFetches(processes);
  await eventually(() => services.every(hasRecovered), 'recovered processes', 45_000);
  assert.deepEqual(await unavailable(), ['0', '0', '0']);
  assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);
}

describe('a cluster with one replica per master', () => {
  for (const [ends, signal] of [
    ['killed', 'SIGKILL'],
    ['hung', 'SIGSTOP'],
  ] as const) {
    it(`replaces a master that is ${ends}, the service recovers and reports it, and the master returns`, (t) =>
      assertFollowsTheNewMaster(t, signal));
  }

  it('messages arrive through another node if the node of the subscription hangs', async (t) => {
    const { cluster, replicas } = await startOnCluster(t, { nodeTimeoutMs: 60_000 });
    const subscribers = async (node: RedisServer) => {
      const [, count] = (await administer(node, (redis) =>
        redis.pubsub('NUMSUB', names.fetchMessages),
      )) as [string, number];
      return count;
    };
    const counts = await Promise.all(cluster.nodes.map(subscribers));
    const hung = cluster.nodes[counts.findIndex((count) => count > 0)]!;
    const others = cluster.nodes.filter((node) => node !== hung);
    await hung.kill('SIGSTOP');
    await eventually(async () => {
      const heard = await Promise.all(others.map(subscribers));
      return heard.reduce((sum, count) => sum + count, 0) === replicas.length;
    }, 'all subscriptions at nodes that answer');
    await hung.kill('SIGCONT');
  });

  it('a process writes nothing but log records if its connections are reset repeatedly', async (t) => {
    const { cluster, replicas, url } = await startOnCluster(t);
    const load = startLoad(t, { clients: 4, next: (count) => url(placePath(count % 100)) });
    for (let round = 0; round < 20; round += 1) {
      for (const node of cluster.nodes) {
        for (const type of ['normal', 'pubsub'])
          await administer(node, (redis) =>
            redis.call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes'),
          );
      }
      await sleep(100);
    }
    assert.deepEqual(
      Object.keys(tally(await load.stop())).filter((o) => !/^200 (HIT|MISS|COALESCED)$/.test(o)),
      [],
    );
    for (const replica of replicas) await becomesReady(replica);
  });
});

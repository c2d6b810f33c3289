import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { workerFetches } from '../../support/coordinated-fetches.js';
import { eventually } from '../../support/eventually.js';
import { ask } from '../../support/http-client.js';
import { attempt, startLoad, tally } from '../../support/load.js';
import { QUEUE } from '../../support/names.js';
import { placePath } from '../../support/places.js';
import { becomesReady, hasRecovered } from '../../support/readiness.js';
import { startRedisCluster, type RedisCluster } from '../../support/redis-cluster.js';
import { freePort } from '../../support/redis-server.js';
import { startProcesses, type Processes } from '../../support/stack.js';

const QUEUE_KEY = `${QUEUE}:wait`;

/** A cluster with one replica per master, and processes with metrics. */
async function startOnCluster(
  t: TestContext,
): Promise<Processes & { cluster: RedisCluster; unavailable: () => Promise<string[]> }> {
  const cluster = await startRedisCluster({ replicas: 1 });
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
  // The queue of the workers moves to the new master.
  const old = await cluster.nodeOf(QUEUE_KEY);
  await old.kill(signal);
  await eventually(async () => (await cluster.nodeOf(QUEUE_KEY)) !== old, 'a new master');
  await eventually(() => services.every(hasRecovered), 'recovered processes');
  assert.deepEqual(await unavailable(), ['0', '0', '0']);
  await workerFetches(processes);
  if (signal === 'SIGKILL') await old.restart();
  else await old.kill('SIGCONT');
  await cluster.whole();
  await workerFetches(processes);
  await eventually(() => services.every(hasRecovered), 'recovered processes');
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
});

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerFetches } from '../support/agreed-fetches.js';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { attempt, percentile, startLoad, tally } from '../support/load.js';
import { names, QUEUE } from '../support/names.js';
import { placePath } from '../support/places.js';
import { becomesReady } from '../support/readiness.js';
import {
  administer,
  type ClusterOptions,
  type RedisCluster,
  startRedisCluster,
} from '../support/redis-cluster.js';
import { freePort, type RedisServer } from '../support/redis-server.js';
import type { Service } from '../support/service.js';
import { type Processes, startProcesses } from '../support/stack.js';

const QUEUE_KEY = `${QUEUE}:wait`;

/** A cluster whose masters have a replica each, and processes whose metrics can be read. */
async function startOnCluster(
  t: TestContext,
  options: ClusterOptions = {},
): Promise<Processes & { cluster: RedisCluster; degraded: () => Promise<string[]> }> {
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
    return /^weather_redis_degraded (\d)$/m.exec(text)?.[1] ?? '';
  };
  return Object.assign(processes, { cluster, degraded: () => Promise.all(ports.map(gauge)) });
}

/** A worker is back within this. BullMQ alone gives a cluster's client 30 s to connect anew. */
const WORKER_BACK_MS = 60_000;

/** The last thing that was told of Redis is that it is well. */
function hasRecovered(service: Service): boolean {
  return service.of('redis_degraded').length === service.of('redis_recovered').length;
}

describe('a cluster whose masters have replicas', () => {
  for (const [what, signal] of [
    ['killed', 'SIGKILL'],
    ['hung', 'SIGSTOP'],
  ] as const) {
    it(`a master is ${what} and replaced: all is normal, and told so; then it is back`, async (t) => {
      const processes = await startOnCluster(t);
      const { cluster, replicas, workers, url, degraded } = processes;
      const services = [...replicas, ...workers];
      for (const replica of replicas)
        for (const n of [0, 1]) await attempt(replica.url + placePath(n));
      await workerFetches(processes);

      const load = startLoad(t, { clients: 4, next: (n) => url(placePath(n % 2)) });
      // The queue and the sign of the workers move with it.
      const old = await cluster.nodeOf(QUEUE_KEY);
      await old.kill(signal);
      await eventually(async () => (await cluster.nodeOf(QUEUE_KEY)) !== old, 'a new master');
      const promoted = Date.now();
      await eventually(() => services.every(hasRecovered), 'word of the recovery');
      t.diagnostic(`told ${Date.now() - promoted} ms after the promotion`);
      assert.deepEqual(await degraded(), ['0', '0', '0']);
      if (signal === 'SIGKILL') {
        await workerFetches(processes, {}, WORKER_BACK_MS);
        t.diagnostic(`the worker fetches ${Date.now() - promoted} ms after it`);
        await old.restart();
      } else {
        // BullMQ's client does not always leave a node that hangs: replicas fetch in its place.
        const { status, ms } = await attempt(url(placePath(700)));
        assert.equal(status, 200);
        assert.ok(ms < 10_000, `${ms} ms`);
        await old.kill('SIGCONT');
      }
      await cluster.whole();
      await workerFetches(processes, {}, WORKER_BACK_MS);
      await eventually(() => services.every(hasRecovered), 'word of the recovery');
      assert.deepEqual(await degraded(), ['0', '0', '0']);
      const replies = await load.stop();
      assert.deepEqual(Object.keys(tally(replies)), ['200 HIT']);
      assert.ok(percentile(replies, 1) < 2000, `${percentile(replies, 1)} ms at most`);
    });
  }

  it('the node that brings the announcements hangs: another one brings them', async (t) => {
    const { cluster, replicas } = await startOnCluster(t, { nodeTimeoutMs: 60_000 });
    const subscribers = async (node: RedisServer) => {
      const [, count] = (await administer(node, (redis) =>
        redis.pubsub('NUMSUB', names.announcements),
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

  it('its connections are reset again and again: nothing is written but records', async (t) => {
    const processes = await startOnCluster(t);
    const { cluster, replicas, url } = processes;
    const load = startLoad(t, {
      clients: 4,
      next: (count) => url(placePath(count % 100)),
    });
    for (let round = 0; round < 20; round += 1) {
      for (const node of cluster.nodes) {
        for (const type of ['normal', 'pubsub'])
          await administer(node, (redis) =>
            redis.call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes'),
          );
      }
      await sleep(100);
    }
    const replies = await load.stop();
    assert.deepEqual(
      Object.keys(tally(replies)).filter((o) => !/^200 (HIT|MISS|COALESCED)$/.test(o)),
      [],
    );
    for (const replica of replicas) await becomesReady(replica);
  });
});

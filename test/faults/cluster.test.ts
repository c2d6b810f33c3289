import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { limitIsExact } from '../support/admitted.js';
import { coordinatedFetches, assertMisses } from '../support/coordinated-fetches.js';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { suiteLifetime } from '../support/lifetime.js';
import { assertOutcomes, attempt, burst, type Load, startLoad, tally } from '../support/load.js';
import { placePath, requestKey } from '../support/places.js';
import { becomesReady, hasRecovered } from '../support/readiness.js';
import { type RedisCluster, startRedisCluster } from '../support/redis-cluster.js';
import type { RedisServer } from '../support/redis-server.js';
import { searchAt } from '../support/searches.js';
import { recordsFromNow } from '../support/shared-stack.js';
import { anyClient } from '../support/http-client.js';
import { type Processes, startProcesses } from '../support/stack.js';
import { names, QUEUE } from '../support/names.js';

const LIMIT = 40;
const QUEUE_KEY = `${QUEUE}:wait`;
const COUNT = 5;

const cacheKey = (n: number) => names.entry(requestKey(n));

describe('a cluster of three masters', () => {
  const lifetime = suiteLifetime();
  let cluster: RedisCluster;
  let processes: Processes;

  before(async () => {
    cluster = await startRedisCluster();
    const limits = { RATE_LIMIT_PER_IP: String(LIMIT), RATE_LIMIT_TOTAL: '100000' };
    const env = { REDIS_CLUSTER_NODES: cluster.addresses, TRUST_PROXY: '1', ...limits };
    processes = await startProcesses(lifetime, { replicas: 2, workers: 1, env, store: cluster });
    await Promise.all(processes.replicas.map((replica) => becomesReady(replica)));
  });

  /** On a busy machine, a node may seem unavailable. Its recovery may be logged 30 s later. */
  beforeEach(() => eventually(() => processes.replicas.every(hasRecovered), 'recovered replicas'));

  const request = (n: number) => attempt(processes.url(placePath(n)), { headers: anyClient(n) });
  const requestOften = (n: number) =>
    burst(
      Array.from({ length: 20 }, () => processes.url(placePath(n))),
      { headers: anyClient(n) },
    );

  /** A node without the queue, places whose keys it has, and places of other nodes. */
  async function otherNode(from: number): Promise<{
    node: RedisServer;
    there: number[];
    elsewhere: number[];
  }> {
    const queueNode = await cluster.nodeOf(QUEUE_KEY);
    const node = cluster.nodes.find((each) => each !== queueNode)!;
    const [there, elsewhere]: [number[], number[]] = [[], []];
    for (let n = from; n < from + 60; n += 1) {
      ((await cluster.nodeOf(cacheKey(n))) === node ? there : elsewhere).push(n);
    }
    return { node, there, elsewhere };
  }

  /** Puts places into each replica's near cache, and requests them until the load is stopped. */
  async function loadOf(t: Parameters<typeof startLoad>[0], cached: number[]): Promise<Load> {
    for (const { url } of processes.replicas) {
      for (const n of cached) await attempt(url + placePath(n), { headers: anyClient(n) });
    }
    const next = (count: number) => processes.url(placePath(cached[count % cached.length]!));
    return startLoad(t, { clients: 4, next, headers: (count) => anyClient(count + 1000) });
  }

  it('makes one fetch for a place, shares entries, and has exact limits and sessions', async () => {
    const { url } = processes;
    for (const n of [0, 1]) {
      assertMisses(processes, await requestOften(n));
      assert.equal(coordinatedFetches(processes, n), 1);
    }
    await limitIsExact(LIMIT, () => url(placePath(0)));
    const cookie = cookieOf(await searchAt(url(''), 'Berlin', { headers: anyClient(50) }));
    await searchAt(url(''), 'Hamburg', { cookie, headers: anyClient(51) });
    const list = await attempt(url('/api/v1/recent-searches'), { headers: { cookie } });
    assert.match(list.text, /Hamburg.*Berlin/);
  });

  it('that moves slots under load causes no error and no wrong response', async (t) => {
    const { url } = processes;
    const cookie = cookieOf(await searchAt(url(''), 'Berlin', { headers: anyClient(1) }));
    const load = startLoad(t, {
      clients: 6,
      next: (count) => url(placePath(100 + (count % 50))),
      headers: (count) => anyClient(count + 30_000),
    });
    await eventually(() => load.replies.length > 100, 'a load');
    for (const key of [QUEUE_KEY, cacheKey(101), cacheKey(102)]) await cluster.moveSlotOf(key);
    const moved = load.replies.length;
    await eventually(() => load.replies.length > moved + 200, 'responses after the move');
    assertOutcomes(await load.stop(), /^200 (HIT|MISS|COALESCED)$/);
    for (let n = 100; n < 150; n += 1) {
      assert.ok(coordinatedFetches(processes, n) <= 1, `place ${n} fetched again`);
    }
    // On a busy machine, a node may be unavailable for a moment.
    await eventually(async () => {
      const list = await attempt(url('/api/v1/recent-searches'), { headers: { cookie } });
      return list.status === 200 && list.text.includes('Berlin');
    }, 'the list of the session');
  });

  it('with a hung node counts as unavailable, and is used for all keys after its recovery', async (t) => {
    const { replicas, workers } = processes;
    const { node, there, elsewhere } = await otherNode(300);
    const load = await loadOf(t, [elsewhere.pop()!, there.pop()!]);
    const records = recordsFromNow(replicas);
    await node.kill('SIGSTOP');
    await records.each('redis_unavailable');

    for (const n of [...elsewhere.slice(0, COUNT), ...there.slice(0, COUNT)]) {
      assert.equal((await request(n)).status, 200);
    }
    // Replies of the other nodes must not report a recovery.
    assert.deepEqual(records.of('redis_recovered'), []);
    await node.kill('SIGCONT');
    assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);
    await eventually(async () => {
      const n = there.pop();
      if (n === undefined) throw new Error('no place is left to request');
      await request(n);
      await sleep(500);
      return workers[0]!.of('fetch').some((record) => record['key'] === requestKey(n));
    }, 'a fetch of a place of the recovered shard by the worker');
  });
});

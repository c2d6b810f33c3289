import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestKey, weatherRequest } from '../../src/weather/request.js';
import { agreedFetches, assertOneMiss } from '../support/agreed-fetches.js';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { attempt, burst, percentile, startLoad, tally } from '../support/load.js';
import { names, QUEUE } from '../support/names.js';
import { nthPlace, placePath } from '../support/places.js';
import { becomesReady } from '../support/readiness.js';
import { administer, type RedisCluster, startRedisCluster } from '../support/redis-cluster.js';
import type { LogRecord } from '../support/service.js';
import { type Processes, startProcesses } from '../support/stack.js';

const ENV = { TRUST_PROXY: '1', RATE_LIMIT_PER_IP: '40', RATE_LIMIT_TOTAL: '100000' };
const anyClient = (count: number) => ({
  'X-Forwarded-For': `10.2.${Math.floor(count / 250) % 250}.${count % 250}`,
});
const QUEUE_KEY = `${QUEUE}:wait`;

const keyOf = (n: number) => requestKey(weatherRequest(nthPlace(n)));
const cacheKey = (n: number) => names.entry(keyOf(n));

async function startOnCluster(
  t: Parameters<typeof startProcesses>[0],
): Promise<Processes & { cluster: RedisCluster }> {
  const cluster = await startRedisCluster();
  const env = { REDIS_CLUSTER_NODES: cluster.addresses, ...ENV };
  const processes = await startProcesses(t, { replicas: 2, workers: 1, env, store: cluster });
  await Promise.all(processes.replicas.map((replica) => becomesReady(replica)));
  return Object.assign(processes, { cluster });
}

describe('a cluster of three masters', () => {
  it('does all that one Redis does: one fetch, shared entries, limits, sessions', async (t) => {
    const processes = await startOnCluster(t);
    const { url } = processes;
    for (let n = 0; n < 12; n += 1) {
      const replies = await burst(
        Array.from({ length: 30 }, () => url(placePath(n))),
        { headers: anyClient(n) },
      );
      assertOneMiss(processes, n, replies);
      assert.equal(agreedFetches(processes, n), 1);
    }
    let admitted = 0;
    for (let n = 0; n < 80; n += 1) {
      const { status } = await attempt(url(placePath(0)), {
        headers: { 'X-Forwarded-For': '192.0.2.1' },
      });
      if (status === 200) admitted += 1;
    }
    assert.equal(admitted, 40);

    const path = (city: string) => url(`/api/v1/weather?city=${city}&country=Germany`);
    const first = await attempt(path('Berlin'), { headers: anyClient(50) });
    const cookie = cookieOf(first);
    await attempt(path('Hamburg'), { headers: { cookie, ...anyClient(51) } });
    const list = await attempt(url('/api/v1/recent-searches'), { headers: { cookie } });
    assert.match(list.text, /Hamburg.*Berlin/);
  });

  it('one node hangs: the other shards stay normal, and it is back after it', async (t) => {
    const processes = await startOnCluster(t);
    const { cluster, replicas, workers, url } = processes;
    // A node that serves neither the queue nor these places is the one that hangs.
    const queueNode = await cluster.nodeOf(QUEUE_KEY);
    const hung = cluster.nodes.find((node) => node !== queueNode)!;
    const [well, ill]: [number[], number[]] = [[], []];
    for (let n = 0; n < 60; n += 1) {
      ((await cluster.nodeOf(cacheKey(n))) === hung ? ill : well).push(n);
    }
    const cached = [well.pop()!, ill.pop()!];
    for (const replica of replicas) {
      for (const n of cached) await attempt(replica.url + placePath(n), { headers: anyClient(n) });
    }
    const load = startLoad(t, {
      clients: 4,
      next: (count) => url(placePath(cached[count % 2]!)),
      headers: anyClient,
    });
    await sleep(300);
    await hung.kill('SIGSTOP');
    for (const replica of replicas) await replica.waitFor('redis_degraded');

    // Where the shard is well, a cold place is fetched once, over all replicas, by the worker.
    const normal = well.slice(0, 5);
    for (const n of normal) {
      const replies = await burst(
        Array.from({ length: 20 }, () => url(placePath(n))),
        { headers: anyClient(n) },
      );
      assert.deepEqual(
        Object.keys(tally(replies)).filter((o) => !o.startsWith('200')),
        [],
      );
      assert.equal(agreedFetches(processes, n), 1);
    }
    // Where it is not, it is fetched all the same.
    for (const n of ill.slice(0, 5)) {
      const reply = await attempt(url(placePath(n)), { headers: anyClient(n) });
      assert.equal(reply.status, 200);
    }
    await hung.kill('SIGCONT');
    for (const replica of replicas) await replica.waitFor('redis_recovered');
    const replies = await load.stop();
    assert.deepEqual(Object.keys(tally(replies)), ['200 HIT']);
    assert.ok(percentile(replies, 1) < 2000, `${percentile(replies, 1)} ms at most`);
    await eventually(async () => {
      const n = ill.pop();
      if (n === undefined) throw new Error('no place is left to ask for');
      await attempt(url(placePath(n)), { headers: anyClient(n) });
      await sleep(200);
      const key = keyOf(n);
      return workers[0]!.of('fetch').some((record) => record['key'] === key);
    }, 'a fetch of a place of the returned shard by the worker');
  });

  it('one shard is full: its keys degrade, the others do not, and no state flaps', async (t) => {
    const processes = await startOnCluster(t);
    const { cluster, replicas, url } = processes;
    const queueNode = await cluster.nodeOf(QUEUE_KEY);
    const full = cluster.nodes.find((node) => node !== queueNode)!;
    const [well, ill]: [number[], number[]] = [[], []];
    for (let n = 0; n < 60; n += 1) {
      ((await cluster.nodeOf(cacheKey(n))) === full ? ill : well).push(n);
    }
    const cached = [well.pop()!, ill.pop()!];
    for (const n of cached) {
      for (const { url: at } of replicas) await attempt(at + placePath(n));
    }
    const load = startLoad(t, {
      clients: 4,
      next: (count) => url(placePath(cached[count % 2]!)),
      headers: anyClient,
    });
    await administer(full, (redis) => redis.config('SET', 'maxmemory', '1mb'));
    for (const replica of replicas) {
      await replica.waitFor('redis_degraded', ({ reason }) => reason === 'out_of_memory');
    }
    await sleep(5000);
    for (const n of well.slice(0, 5)) {
      const replies = await burst(
        Array.from({ length: 10 }, () => url(placePath(n))),
        { headers: anyClient(n) },
      );
      assertOneMiss(processes, n, replies);
      assert.equal(agreedFetches(processes, n), 1);
    }
    for (const n of ill.slice(0, 5)) {
      const reply = await attempt(url(placePath(n)), { headers: anyClient(n) });
      assert.equal(reply.status, 200);
    }
    await administer(full, (redis) => redis.config('SET', 'maxmemory', '0'));
    const isOfIt = ({ reason }: LogRecord) => reason === 'out_of_memory';
    for (const replica of replicas) await replica.waitFor('redis_recovered', isOfIt);
    assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);
    for (const replica of replicas) {
      for (const event of ['redis_degraded', 'redis_recovered']) {
        assert.equal(replica.of(event).filter(isOfIt).length, 1, event);
      }
    }
  });

  it('a slot moves under load: no error, no wrong answer', async (t) => {
    const processes = await startOnCluster(t);
    const { cluster, url } = processes;
    const path = (city: string) => url(`/api/v1/weather?city=${city}&country=Germany`);
    const first = await attempt(path('Berlin'), { headers: anyClient(1) });
    const cookie = cookieOf(first);
    const load = startLoad(t, {
      clients: 6,
      next: (count) => url(placePath(count % 50)),
      headers: anyClient,
    });
    await sleep(500);
    for (const key of [QUEUE_KEY, cacheKey(1), cacheKey(2)]) await cluster.moveSlotOf(key);
    await sleep(1500);
    const replies = await load.stop();
    assert.deepEqual(
      Object.keys(tally(replies)).filter((o) => !/^200 (HIT|MISS|COALESCED)$/.test(o)),
      [],
    );
    for (let n = 0; n < 50; n += 1) {
      assert.ok(agreedFetches(processes, n) <= 1, `place ${n} fetched again`);
    }
    // On a busy machine a node may seem silent for a moment.
    await eventually(async () => {
      const list = await attempt(url('/api/v1/recent-searches'), { headers: { cookie } });
      return list.status === 200 && list.text.includes('Berlin');
    }, 'the list of the session');
  });
});

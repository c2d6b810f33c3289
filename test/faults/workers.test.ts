import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Redis } from 'ioredis';
import {
  coordinatedFetches,
  assertMisses,
  crowd,
  workerFetches,
} from '../support/coordinated-fetches.js';
import { eventually } from '../support/eventually.js';
import { attempt, burst, startLoad, tally } from '../support/load.js';
import { placePath } from '../support/places.js';
import { useStack } from '../support/shared-stack.js';
import { PATHS } from '../support/stub-provider.js';
import { connectTo } from '../support/use-redis.js';

describe('workers that come, die and end', () => {
  const stackOf = useStack({
    replicas: 3,
    workers: 0,
    env: { SHUTDOWN_TIMEOUT_MS: '20000' },
  });

  it('no worker: one replica fetches for all, then a worker that comes takes over', async () => {
    const stack = stackOf();
    // Long enough that all of them would fetch if nothing held them back.
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 700 });
    for (const n of [1, 2]) {
      assertMisses(stack, await crowd(stack, n));
      assert.equal(coordinatedFetches(stack, n), 1);
    }
    await stack.addWorker();
    await workerFetches(stack);
  });

  it('worker killed in the middle of a job: a replica takes over', async () => {
    const stack = stackOf();
    stack.upstream.behave(PATHS.openMeteo, { kind: 'hang', times: 1 });
    const asked = crowd(stack, 11);
    await eventually(() => coordinatedFetches(stack, 11) === 1, 'the fetch of the worker');
    stack.workers[0]!.kill('SIGKILL');
    assertMisses(stack, await asked);
    assert.equal(coordinatedFetches(stack, 11), 2);
  });

  it('worker wedged before it takes a job: a replica fetches, and the worker repeats nothing', async () => {
    const stack = stackOf();
    const worker = await stack.addWorker();
    await workerFetches(stack);
    worker.kill('SIGSTOP');
    assertMisses(stack, await crowd(stack, 21));
    assert.equal(coordinatedFetches(stack, 21), 1);
    worker.kill('SIGCONT');
    // Whatever it has found by then came after the old job.
    await workerFetches(stack);
    assert.equal(coordinatedFetches(stack, 21), 1);
  });

  it('worker ends by SIGTERM: it finishes what it fetches, and leaves the rest to another', async () => {
    const stack = stackOf();
    const [, ending] = stack.workers;
    await stack.addWorker();
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 500 });
    const places = Array.from({ length: 24 }, (_, n) => 100 + n);
    const waiting = burst(places.map((n) => stack.url(placePath(n))));
    await eventually(() => stack.upstream.count(PATHS.openMeteo) >= 6, 'fetches under way');
    ending!.kill('SIGTERM');
    const { '200 MISS': misses, ...others } = tally(await waiting);
    assert.deepEqual([misses, others], [places.length, {}]);
    for (const n of places) assert.equal(coordinatedFetches(stack, n), 1, `place ${n}`);
    assert.equal(await ending!.exited, 0);
  });

  it('replica killed while a worker fetches for it: no further fetch', async () => {
    const stack = stackOf();
    const [asker, ...others] = stack.replicas;
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 3000 });
    const lost = attempt(asker!.url + placePath(31));
    await eventually(() => coordinatedFetches(stack, 31) === 1, 'the fetch for the asker');
    const waiting = burst(
      Array.from({ length: 200 }, (_, n) => others[n % 2]!.url + placePath(31)),
    );
    asker!.kill('SIGKILL');
    assert.notEqual((await lost).error, undefined);
    assertMisses(stack, await waiting);
    assert.equal(coordinatedFetches(stack, 31), 1);
  });

  it('all providers fail: every request is answered, and no worker is taken for absent', async (t) => {
    const stack = stackOf();
    const urls = stack.replicas.slice(1).map(({ url }) => url);
    stack.upstream.behaveAll({ kind: 'status', status: 500, delayMs: 20 });
    const next = (count: number) => urls[count % 2]! + placePath(200 + (count % 10));
    const load = startLoad(t, { clients: 12, next, pauseMs: 5 });
    // Whoever joins a fetch as it ends gets its failure, and does not wait for one that never comes.
    await eventually(() => load.replies.length >= 500, 'answers');
    assert.deepEqual(Object.keys(tally(await load.stop())), ['503']);
    // By then the breakers are open: the providers were spared.
    assert.ok(stack.upstream.count(PATHS.openMeteo) < 50);
  });
});

describe('replicas without a worker', () => {
  const stackOf = useStack({ replicas: 3, workers: 0 });

  it('replica killed while it fetches for all: one more fetch, and all are answered', async () => {
    const stack = stackOf();
    const [leader, ...others] = stack.replicas;
    stack.upstream.behave(PATHS.openMeteo, { kind: 'hang', times: 1 });
    const lost = attempt(leader!.url + placePath(1));
    await eventually(() => coordinatedFetches(stack, 1) === 1, 'the fetch of the leader');
    const waiting = burst(Array.from({ length: 200 }, (_, n) => others[n % 2]!.url + placePath(1)));
    // One that nobody has to fetch is answered after all that were asked for before it.
    await Promise.all(others.map(({ url }) => attempt(`${url}/api/v1/health/live`)));
    leader!.kill('SIGKILL');
    assert.notEqual((await lost).error, undefined);
    assertMisses(stack, await waiting);
    assert.equal(coordinatedFetches(stack, 1), 2);
  });
});

const queueOf = async (redis: Redis) =>
  (await redis.keys('*:fetches:meta'))[0]!.slice(0, -':meta'.length);

describe('a worker that ends', () => {
  const stackOf = useStack({ replicas: 2, workers: 1 });

  it('after the only worker has ended in order, cold places get no job', async (t) => {
    const stack = stackOf();
    const redis = connectTo(t, stack.redis);
    await workerFetches(stack);
    const events = `${await queueOf(redis)}:events`;
    await stack.workers[0]!.stop();
    const before = await redis.xlen(events);
    for (const n of [1, 2, 3, 4]) {
      assert.equal((await attempt(stack.url(placePath(n)))).status, 200);
    }
    assert.equal(await redis.xlen(events), before, 'a job for a worker that has left');
  });
});

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { agreedFetches, assertOneMiss, fetchedAlone } from '../support/agreed-fetches.js';
import { eventually } from '../support/eventually.js';
import { attempt, burst, percentile, type Reply, startLoad, tally } from '../support/load.js';
import { names, QUEUE } from '../support/names.js';
import { nthPlace, placePath } from '../support/places.js';
import { type Stack, startStack } from '../support/stack.js';
import { PATHS } from '../support/stand-in.js';

const CROWD = 200;

function connection(t: TestContext, stack: Stack): Redis {
  const redis = new Redis(stack.redis.url, { maxRetriesPerRequest: null });
  t.after(() => {
    redis.disconnect();
  });
  return redis;
}

const crowd = (stack: Stack, n: number): Promise<Reply[]> =>
  burst(Array.from({ length: CROWD }, () => stack.url(placePath(n))));

/** Whoever takes over a fetch that another one ordered need not call it a miss of its own. */
function assertTakenOver(stack: Stack, replies: Reply[]): void {
  const {
    '200 MISS': misses = 0,
    '200 COALESCED': coalesced = 0,
    '200 HIT': hits = 0,
  } = tally(replies);
  assert.equal(misses + coalesced + hits, replies.length);
  // One began the fetch, another one ran it.
  assert.ok(misses <= 2 + fetchedAlone(stack, 1), `${misses} misses`);
}

/** Nothing waits, runs or is deduplicated in the queue, and its records are few. */
async function assertQueueAtRest(redis: Redis): Promise<void> {
  await eventually(
    async () => (await redis.keys(`${QUEUE}:de:*`)).length === 0,
    'the release of all deduplication keys',
    30_000,
  );
  // The job of a killed worker is found when its lock has expired.
  await eventually(async () => (await redis.llen(`${QUEUE}:active`)) === 0, 'no job', 30_000);
  await eventually(async () => (await redis.llen(`${QUEUE}:wait`)) === 0, 'no waiting job', 30_000);
  assert.equal(await redis.zcard(`${QUEUE}:completed`), 0);
  assert.ok((await redis.zcard(`${QUEUE}:failed`)) <= 100);
  const events = await redis.xlen(`${QUEUE}:events`);
  // Redis trims it in steps of about a hundred.
  assert.ok(events <= 250, `${events} events`);
}

describe('no worker runs', () => {
  it('lets one replica fetch after a bounded wait, and the next places without a wait', async (t) => {
    const stack = await startStack(t, { replicas: 3, workers: 0 });
    // Long enough that all of them would fetch if nothing held them back.
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 700 });
    const first = await crowd(stack, 1);
    assertTakenOver(stack, first);
    assert.equal(agreedFetches(stack, 1), 1);
    assert.ok(percentile(first, 1) < 10_000);
    for (const replica of stack.replicas) assert.ok(replica.of('worker_stalled').length <= 1);

    const second = await crowd(stack, 2);
    assertOneMiss(stack, 2, second);
    assert.equal(agreedFetches(stack, 2), 1);
    assert.ok(percentile(second, 0) < 2000, 'workers are still waited for');
    // What the replica has done itself does not wait for the workers' return.
    await assertQueueAtRest(connection(t, stack));

    await stack.addWorker();
    await eventually(async () => {
      const n = 10 + stack.upstream.count(PATHS.openMeteo);
      await attempt(stack.url(placePath(n)));
      return stack.workers[0]!.of('fetch').length > 0;
    }, 'a fetch by the worker');
  });
});

describe('the worker is killed in the middle of a job', () => {
  it('a replica takes over when its run expires, and the job does no harm later', async (t) => {
    const stack = await startStack(t, { replicas: 3, workers: 1 });
    const { upstream } = stack;
    upstream.behave(PATHS.openMeteo, { kind: 'hang', times: 1 });
    const asked = crowd(stack, 1);
    await eventually(() => agreedFetches(stack, 1) === 1, 'the fetch of the worker');
    stack.workers[0]!.kill('SIGKILL');
    const replies = await asked;
    assertTakenOver(stack, replies);
    assert.equal(agreedFetches(stack, 1), 2);
    assert.ok(percentile(replies, 1) < 15_000);

    await stack.addWorker();
    await assertQueueAtRest(connection(t, stack));
    assert.equal(agreedFetches(stack, 1), 2, 'the recovered job fetched again what is fresh');
  });
});

describe('the worker is wedged', () => {
  it('before it takes a job: a replica fetches, and the worker repeats nothing', async (t) => {
    const stack = await startStack(t, { replicas: 3, workers: 1 });
    const [worker] = stack.workers;
    worker!.kill('SIGSTOP');
    const replies = await crowd(stack, 1);
    assertTakenOver(stack, replies);
    assert.equal(agreedFetches(stack, 1), 1);
    worker!.kill('SIGCONT');
    await assertQueueAtRest(connection(t, stack));
    assert.equal(agreedFetches(stack, 1), 1);
  });

  it('in the middle of a job: its late end does not change what came meanwhile', async (t) => {
    const stack = await startStack(t, {
      replicas: 2,
      workers: 1,
      env: {
        UPSTREAM_TIMEOUT_MS: '3000',
        CACHE_TTL_SECONDS: '8',
        REFRESH_AHEAD_SECONDS: '0',
        STALE_IF_ERROR_SECONDS: '0',
      },
    });
    const [worker] = stack.workers;
    const { upstream } = stack;
    upstream.behave(PATHS.openMeteo, { kind: 'hang', times: 1 });
    upstream.behave(PATHS.metNorway, { kind: 'status', status: 500 });
    const asked = crowd(stack, 1);
    await eventually(() => agreedFetches(stack, 1) === 1, 'the fetch of the worker');
    worker!.kill('SIGSTOP');
    const replies = await asked;
    assert.deepEqual(
      Object.keys(tally(replies)).filter((o) => !o.startsWith('200')),
      [],
    );
    assert.equal(agreedFetches(stack, 1), 2);

    // The next fetch runs, by a replica, when the worker wakes up and finds its own timed out.
    await eventually(async () => {
      const { headers } = await attempt(stack.url(placePath(1)));
      return Number(headers.age) >= 6;
    }, 'an entry that soon ends');
    upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 1500 });
    const waiting: Promise<Reply>[] = [];
    await eventually(() => {
      waiting.push(attempt(stack.url(placePath(1))));
      return agreedFetches(stack, 1) === 3;
    }, 'the next fetch');
    worker!.kill('SIGCONT');
    const next = await Promise.all(waiting);
    assert.deepEqual(
      Object.keys(tally(next)).filter((o) => !o.startsWith('200')),
      [],
    );
    assert.equal(agreedFetches(stack, 1), 3);
    await assertQueueAtRest(connection(t, stack));
  });
});

describe('a worker comes back to old jobs', () => {
  it('they are dropped: no burst of fetches that nobody waits for', async (t) => {
    const stack = await startStack(t, { replicas: 1, workers: 0 });
    const redis = connection(t, stack);
    const queue = new Queue('fetches', {
      connection: redis,
      prefix: names.queue,
      skipMetasUpdate: true,
    });
    t.after(() => queue.close());
    const OLD = 300;
    await queue.addBulk(
      Array.from({ length: OLD }, (_, n) => {
        const request = { kind: 'weather', point: nthPlace(n) };
        const id = `weather:${request.point.latitude.toFixed(4)}:${request.point.longitude.toFixed(4)}`;
        return {
          name: 'fetch',
          data: { request, requestedAt: Date.now() - 3_600_000, staleAfterMs: 0 },
          opts: {
            jobId: `old-${n}`,
            deduplication: { id },
            attempts: 1,
            removeOnComplete: true,
          },
        };
      }),
    );
    const worker = await stack.addWorker();
    await eventually(() => worker.of('fetch_job_dropped').length === OLD, 'all old jobs dropped');
    assert.equal(stack.upstream.count(PATHS.openMeteo), 0);
    await assertQueueAtRest(redis);
    const fresh = await attempt(stack.url(placePath(1)));
    assert.deepEqual([fresh.status, fresh.headers['x-cache']], [200, 'MISS']);
    assert.equal(worker.of('fetch').length, 1);
  });
});

describe('a fetch that always fails', () => {
  it('ends each time, tells its waiters, and leaves nothing behind', async (t) => {
    const stack = await startStack(t, { replicas: 2, workers: 1 });
    for (const path of [PATHS.openMeteo, PATHS.metNorway]) {
      stack.upstream.behave(path, { kind: 'status', status: 500 });
    }
    for (let n = 0; n < 150; n += 1) {
      const reply = await attempt(stack.url(placePath(n)));
      assert.equal(reply.status, 503);
      assert.ok(reply.ms < 5000, `${reply.ms} ms`);
    }
    await assertQueueAtRest(connection(t, stack));
    // By then the breakers are open: the providers were spared.
    assert.ok(stack.upstream.count(PATHS.openMeteo) < 10);
    assert.equal(stack.workers[0]!.of('breaker_open').length >= 2, true);
  });
});

describe('the replica that leads dies while others wait', () => {
  it('when it fetched itself: one more fetch, and all are answered', async (t) => {
    const stack = await startStack(t, { replicas: 3, workers: 0 });
    const [leader, ...others] = stack.replicas;
    stack.upstream.behave(PATHS.openMeteo, { kind: 'hang', times: 1 });
    const lost = attempt(leader!.url + placePath(1));
    await eventually(() => agreedFetches(stack, 1) === 1, 'the fetch of the leader');
    const urls = Array.from({ length: 999 }, (_, n) => others[n % 2]!.url + placePath(1));
    const waiting = burst(urls);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    leader!.kill('SIGKILL');
    assert.notEqual((await lost).error, undefined);
    const replies = await waiting;
    assertTakenOver(stack, replies);
    assert.equal(agreedFetches(stack, 1), 2);
  });

  it('when a worker fetches for it: no further fetch', async (t) => {
    const stack = await startStack(t, { replicas: 3, workers: 1 });
    const [leader, ...others] = stack.replicas;
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 3000 });
    const lost = attempt(leader!.url + placePath(1));
    await eventually(() => agreedFetches(stack, 1) === 1, 'the fetch for the leader');
    const urls = Array.from({ length: 999 }, (_, n) => others[n % 2]!.url + placePath(1));
    const waiting = burst(urls);
    leader!.kill('SIGKILL');
    assert.notEqual((await lost).error, undefined);
    // Nobody who is left began the fetch or ran it.
    assert.deepEqual(Object.keys(tally(await waiting)), ['200 COALESCED']);
    assert.equal(agreedFetches(stack, 1), 1);
  });
});

describe('a worker that must end', () => {
  it('finishes what it fetches, and leaves the rest to the others', async (t) => {
    const env = { SHUTDOWN_TIMEOUT_MS: '20000' };
    const stack = await startStack(t, { replicas: 2, workers: 2, env });
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 1000 });
    const places = Array.from({ length: 40 }, (_, n) => n);
    const waiting = burst(places.map((n) => stack.url(placePath(n))));
    await eventually(() => stack.upstream.count(PATHS.openMeteo) >= 8, 'fetches under way');
    stack.workers[0]!.kill('SIGTERM');
    const { '200 MISS': misses, ...others } = tally(await waiting);
    assert.deepEqual([misses, others], [places.length, {}]);
    for (const n of places) assert.equal(agreedFetches(stack, n), 1, `place ${n}`);
    assert.equal(await stack.workers[0]!.exited, 0);
  });
});

describe('all providers fail while the workers are well', () => {
  it('every request is answered at once, and no worker is taken for absent', async (t) => {
    const stack = await startStack(t, { replicas: 2, workers: 1 });
    for (const path of [PATHS.openMeteo, PATHS.metNorway]) {
      stack.upstream.behave(path, { kind: 'status', status: 500, delayMs: 20 });
    }
    const next = (count: number) => stack.url(placePath(count % 10));
    const load = startLoad(t, { clients: 12, next, pauseMs: 5 });
    await eventually(() => load.replies.length >= 600, 'answers');
    const replies = await load.stop();
    assert.deepEqual(Object.keys(tally(replies)), ['503']);
    // Whoever joins a fetch as it ends gets its failure, and does not wait for one that never comes.
    const slow = percentile(replies, 0.98);
    assert.ok(slow < 1500, `${slow} ms`);
    for (const replica of stack.replicas) assert.deepEqual(replica.of('worker_stalled'), []);
  });
});

describe('a replica is killed while its jobs wait', () => {
  it('its jobs end by themselves although no worker comes', async (t) => {
    const stack = await startStack(t, { replicas: 2, workers: 0 });
    const redis = connection(t, stack);
    // So that the replicas count on a worker that never takes a job.
    const beat = setInterval(
      () => void redis.publish(names.announcements, '{"worker":"here"}'),
      500,
    );
    t.after(() => {
      clearInterval(beat);
    });
    const [killed, other] = stack.replicas;
    // They have heard it by then.
    await sleep(3000);
    const lost = burst([1, 2, 3, 4, 5].map((n) => killed!.url + placePath(n)));
    await eventually(async () => (await redis.llen(`${QUEUE}:wait`)) > 0, 'waiting jobs');
    killed!.kill('SIGKILL');
    await lost;
    clearInterval(beat);
    await eventually(async () => (await redis.llen(`${QUEUE}:wait`)) === 0, 'no job', 40_000);
    assert.equal((await attempt(other!.url + placePath(6))).status, 200);
    for (const key of await redis.keys('*')) {
      // The books of the queue itself, a few bytes each.
      if (/:(?:meta|events|id|pc|marker)$/.test(key)) continue;
      assert.ok((await redis.pttl(key)) !== -1, `${key} stays for ever`);
    }
  });
});

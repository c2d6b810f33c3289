import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import {
  coordinatedFetches,
  assertMisses,
  crowd,
  workerFetches,
} from '../support/coordinated-fetches.js';
import { eventually } from '../support/eventually.js';
import { attempt, burst, type Reply, tally } from '../support/load.js';
import { placeKey, placePath } from '../support/places.js';
import { type Stack, startStack } from '../support/stack.js';
import { PATHS } from '../support/stub-provider.js';
import { QUEUE } from '../support/names.js';

/** Milliseconds: longer than the lock of a job, so that only a fault exceeds it. */
const LOCK_ENDS_MS = 60_000;
/** Milliseconds after which a worker drops a job: 20 s, and a margin. */
const JOB_IS_OLD_MS = 21_000;

function connection(t: TestContext, stack: Stack): Redis {
  const redis = new Redis(stack.redis.url, { maxRetriesPerRequest: null });
  t.after(() => {
    redis.disconnect();
  });
  return redis;
}

/** Waits until no job waits or runs, and asserts that the event stream is short. */
async function assertQueueAtRest(redis: Redis): Promise<void> {
  await eventually(
    async () => (await redis.llen(`${QUEUE}:active`)) + (await redis.llen(`${QUEUE}:wait`)) === 0,
    'no job that waits or runs',
    LOCK_ENDS_MS,
  );
  // Redis trims the stream in steps of about a hundred.
  const events = await redis.xlen(`${QUEUE}:events`);
  assert.ok(events <= 250, `${events} events`);
}

const assertServed = (replies: Reply[]) => {
  assert.deepEqual(
    Object.keys(tally(replies)).filter((outcome) => !outcome.startsWith('200')),
    [],
  );
};

describe('the job of a worker that was killed or stopped', () => {
  it('the recovered job of a killed worker fetches nothing again', async (t) => {
    const stack = await startStack(t, { replicas: 2, workers: 1 });
    await workerFetches(stack);
    stack.upstream.behave(PATHS.openMeteo, { kind: 'hang', times: 1 });
    const asked = crowd(stack, 1);
    await eventually(() => coordinatedFetches(stack, 1) === 1, 'the fetch of the worker');
    stack.workers[0]!.kill('SIGKILL');
    assertMisses(stack, await asked);
    await stack.addWorker();
    await assertQueueAtRest(connection(t, stack));
    assert.equal(coordinatedFetches(stack, 1), 2, 'the recovered job fetched again what is fresh');
  });

  it('the late end of a stopped worker does not change newer entries', async (t) => {
    const stack = await startStack(t, {
      replicas: 2,
      workers: 1,
      env: {
        ...{ UPSTREAM_TIMEOUT_MS: '3000', CACHE_TTL_SECONDS: '8', REFRESH_AHEAD_SECONDS: '0' },
        STALE_IF_ERROR_SECONDS: '0',
      },
    });
    const [worker] = stack.workers;
    const { upstream } = stack;
    await workerFetches(stack);
    upstream.behave(PATHS.openMeteo, { kind: 'hang', times: 1 });
    upstream.behave(PATHS.metNorway, { kind: 'status', status: 500 });
    const asked = crowd(stack, 1);
    await eventually(() => coordinatedFetches(stack, 1) === 1, 'the fetch of the worker');
    worker!.kill('SIGSTOP');
    assertServed(await asked);
    assert.equal(coordinatedFetches(stack, 1), 2);

    // A replica runs the next fetch when the worker continues and its own fetch has timed out.
    await eventually(async () => {
      const { headers } = await attempt(stack.url(placePath(1)));
      return Number(headers.age) >= 6;
    }, 'an entry that soon ends');
    upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 1500 });
    const waiting: Promise<Reply>[] = [];
    await eventually(() => {
      waiting.push(attempt(stack.url(placePath(1))));
      return coordinatedFetches(stack, 1) === 3;
    }, 'the next fetch');
    worker!.kill('SIGCONT');
    assertServed(await Promise.all(waiting));
    assert.equal(coordinatedFetches(stack, 1), 3);
    await assertQueueAtRest(connection(t, stack));
  });

  it('the next worker drops the old jobs of a killed replica', async (t) => {
    const stack = await startStack(t, { replicas: 2, workers: 1 });
    const redis = connection(t, stack);
    const [killed, other] = stack.replicas;
    const [worker] = stack.workers;
    await workerFetches(stack);
    // For a while, the replicas expect the worker to start jobs.
    worker!.kill('SIGSTOP');
    const places = [1, 2, 3, 4, 5];
    const lost = burst(places.map((n) => killed!.url + placePath(n)));
    await eventually(async () => (await redis.llen(`${QUEUE}:wait`)) > 0, 'waiting jobs');
    killed!.kill('SIGKILL');
    worker!.kill('SIGKILL');
    await lost;
    await sleep(JOB_IS_OLD_MS);
    await stack.addWorker();
    await assertQueueAtRest(redis);
    for (const n of places) assert.equal(stack.upstream.count(PATHS.openMeteo, placeKey(n)), 0);
    assert.equal((await attempt(other!.url + placePath(6))).status, 200);
    for (const key of await redis.keys('*')) {
      // Keys of the queue itself, a few bytes each.
      if (/:(?:meta|events|id|pc|marker|active)$/.test(key)) continue;
      assert.ok((await redis.pttl(key)) !== -1, `${key} never expires`);
    }
  });
});

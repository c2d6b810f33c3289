import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker, type Job } from 'bullmq';
import { ServiceUnavailableError } from '../../../src/weather/errors.js';
import { createJobQueue } from '../../../src/redis/fetching/job-queue.js';
import { createNames, type Names } from '../../../src/redis/names.js';
import { POSITION } from '../../../src/weather/kinds/position.js';
import { assertWithin } from '../../support/assert-within.js';
import { eventually } from '../../support/eventually.js';
import type { Lifetime } from '../../support/lifetime.js';
import { plainRedis } from '../../support/plain-redis.js';
import { scope } from '../../support/scope.js';
import { useRedis } from '../../support/use-redis.js';
import { callsOf, requestOf, startMember, type Member, type Provider } from './fleet.js';

const TTL = { freshMs: 60_000, staleMs: 60_000 };
const KEY = 'position:a';
/** Concurrent tests: each waits most of the time. More: the timers of this process are late. */
const CONCURRENCY = 4;

/** Attempts of a test on a machine that is busy all the time. */
const MAX_ATTEMPTS = 5;

const redis = useRedis();
let deployments = 0;

/** One attempt of a test. */
interface Attempt extends Lifetime {
  readonly members: Member[];
}

/**
 * A test of processes that reach Redis all the time. A process to which Redis does not reply within
 * 250 ms fetches alone, and a late process loses its jobs. If a test fails after that, it is
 * repeated.
 */
function test(name: string, body: (t: Attempt) => Promise<void>): void {
  it(name, async (t) => {
    for (let attempts = 1; ; attempts += 1) {
      const members: Member[] = [];
      const closers: (() => unknown)[] = [];
      try {
        await body({ members, after: (close) => void closers.push(close) });
        return;
      } catch (error) {
        if (attempts === MAX_ATTEMPTS || !members.some((each) => each.wasDisturbed())) throw error;
        t.diagnostic(`repeated, because the machine was busy: ${String(error)}`);
      } finally {
        await Promise.all(closers.map((close) => close()));
      }
    }
  });
}

/** Starts processes with one provider. The names in Redis are those of one attempt. */
async function start(t: Attempt, replicas: number, workers: number, both = 0, env = {}) {
  const provider: Provider = { delayMs: 300, ttl: TTL };
  const names = createNames(`fetching${(deployments += 1)}`, 0);
  const port = Number(new URL(redis.url).port);
  const startMembers = (count: number, role: 'replica' | 'worker' | 'both') =>
    Promise.all(
      Array.from({ length: count }, () => startMember(t, { port, names, role, provider, env })),
    );
  const fleet = {
    replicas: await startMembers(replicas, 'replica'),
    workers: await startMembers(workers, 'worker'),
    both: await startMembers(both, 'both'),
  };
  const all = [...fleet.replicas, ...fleet.workers, ...fleet.both];
  t.members.push(...all);
  return {
    ...fleet,
    all,
    first: fleet.replicas[0]!,
    provider,
    names,
    queueKey: `${names.queue}:fetches`,
    /** BullMQ's queue of the jobs. */
    openQueue: () => new Queue('fetches', { connection: redis.client, prefix: names.queue }),
  };
}

/** Starts a worker that takes jobs only by `getNextJob`, and never ends them. */
function startIdleWorker(t: Lifetime, names: Names, lockDuration: number): Worker {
  const connection = redis.client.duplicate({ maxRetriesPerRequest: null });
  const worker = new Worker('fetches', undefined, {
    ...{ connection, prefix: names.queue, skipStalledCheck: true, lockDuration },
  });
  t.after(async () => {
    await worker.close(true);
    connection.disconnect();
  });
  return worker;
}

const jobsNotStarted = (members: Member[]) =>
  members
    .flatMap(({ records }) => records)
    .filter(({ event }) => event === 'fetch_jobs_not_started');

describe('the shared fetch', { concurrency: CONCURRENCY }, () => {
  test('makes one call of the processes that run a worker, also if it takes longer than a job may wait', async (t) => {
    for (const delayMs of [20, 3500]) {
      const { both, provider } = await start(t, 0, 0, 3);
      provider.delayMs = delayMs;
      const entries = await Promise.all(both.map((each) => each.ask('a')));
      assert.equal(callsOf(both, 'a'), 1);
      assert.equal(new Set(entries.map(({ fetchId }) => fetchId)).size, 1);
      assert.deepEqual(jobsNotStarted(both), []);
    }
  });

  test('leaves jobs that wait to the workers while all slots are taken', async (t) => {
    // Two slots in each process.
    const { both, provider } = await start(t, 0, 0, 2, { UPSTREAM_CONCURRENCY: '1' });
    provider.delayMs = 1500;
    const keys = Array.from({ length: 12 }, (_, n) => `place ${n}`);
    await Promise.all(keys.flatMap((key) => both.map((each) => each.ask(key))));
    assert.deepEqual(
      keys.map((key) => callsOf(both, key)),
      keys.map(() => 1),
    );
    assert.deepEqual(jobsNotStarted(both), []);
  });

  test('without any worker makes one call, of the process that has removed the job, and logs it once', async (t) => {
    const { replicas, first, provider, queueKey } = await start(t, 3, 0);
    // Longer than the lock of the job: it is renewed.
    provider.delayMs = 5000;
    const began = performance.now();
    await Promise.all(replicas.map((replica) => replica.ask('a')));
    assert.ok(performance.now() - began >= 1000);
    assert.equal(callsOf(replicas, 'a'), 1);
    const [record, ...others] = jobsNotStarted(replicas);
    assert.deepEqual([record?.['waited_ms'], others], [1000, []]);
    assert.equal(await redis.client.exists(`${queueKey}:wait`), 0);
    assert.equal(await redis.client.hget(`${queueKey}:meta`, 'opts.maxLenEvents'), '100');
    provider.delayMs = 300;
    for (const name of ['b', 'c']) await first.ask(name);
    assert.ok(jobsNotStarted([first]).length <= 1);
  });

  test('of a job whose queue is paused is made by the process that waits', async (t) => {
    const { both, openQueue } = await start(t, 0, 0, 1);
    await openQueue().pause();
    await both[0]!.ask('a');
    assert.equal(callsOf(both, 'a'), 1);
    assert.equal(jobsNotStarted(both).length, 1);
  });

  for (const [name, lockMs] of [
    ['has no TTL', undefined],
    // The clock of Redis has stepped back.
    ['has a TTL of an hour', 3_600_000],
  ] as const) {
    test(`of a job whose worker has died is made, although its lock ${name}`, async (t) => {
      const { first, names, queueKey } = await start(t, 1, 0);
      const dead = startIdleWorker(t, names, 30_000);
      const asked = first.ask('a', scope({ signal: AbortSignal.timeout(20_000) }));
      let jobId = '';
      await eventually(async () => {
        // Against its type, it sometimes returns before there is a job.
        const job = (await dead.getNextJob('token')) as Job | undefined;
        jobId = job?.id ?? '';
        return jobId !== '';
      }, 'a job');
      const lock = `${queueKey}:${jobId}:lock`;
      if (lockMs === undefined) await redis.client.persist(lock);
      else await redis.client.pexpire(lock, lockMs);
      await asked;
      assert.equal(callsOf([first], 'a'), 1);
      await eventually(async () => (await redis.client.exists(lock)) === 0, 'the end of the job');
    });
  }

  test('is made once if the process that has removed the job has died', async (t) => {
    const { replicas, names } = await start(t, 2, 0);
    const dead = createJobQueue({ redis: plainRedis(redis.client), names });
    const asked = replicas.map((replica) => replica.ask('a'));
    await eventually(async () => (await dead.take(KEY, 'dead')) === 'waiting', 'a job');
    await Promise.all(asked);
    assert.equal(callsOf(replicas, 'a'), 1);
    assert.deepEqual(jobsNotStarted(replicas), []);
  });

  test('of a job that has disappeared is made once', async (t) => {
    const { replicas, queueKey } = await start(t, 2, 0);
    const asked = replicas.map((replica) => replica.ask('a'));
    const jobs = () => redis.client.keys(`${queueKey}:fetch-*`);
    await eventually(async () => (await jobs()).length > 0, 'a job');
    await redis.client.del(...(await jobs()), `${queueKey}:wait`);
    await Promise.all(asked);
    assert.equal(callsOf(replicas, 'a'), 1);
  });

  test('of one waiting job is taken by one of many that try', async (t) => {
    const { names } = await start(t, 0, 0);
    const guarded = plainRedis(redis.client);
    const jobs = createJobQueue({ redis: guarded, names });
    for (let round = 0; round < 20; round += 1) {
      const job = { kind: POSITION, request: requestOf('a'), fetchId: 'f', freshForMs: 0 };
      await jobs.add(job, Date.now());
      const states = await Promise.all(
        Array.from({ length: 10 }, (_, n) => jobs.take(KEY, `fetch-${n}`)),
      );
      const taken = states.indexOf('waiting');
      assert.deepEqual(states.sort(), [...Array<string>(9).fill('running'), 'waiting']);
      await jobs.add(job, Date.now());
      assert.equal(await jobs.take(KEY, 'other'), 'running');
      await jobs.end(KEY, 'other');
      assert.equal(await jobs.take(KEY, 'other'), 'running');
      await jobs.end(KEY, `fetch-${taken}`);
      assert.equal(await jobs.take(KEY, 'other'), 'missing');
    }
  });

  test('returns a fresh entry whose message was lost', async (t) => {
    const { first, workers, all, provider, names } = await start(t, 1, 1);
    const entry = names.entry(KEY);
    await first.ask('a');
    await eventually(async () => (await redis.client.exists(entry)) === 1, 'an entry');
    await redis.client.rename(entry, 'entry');
    provider.delayMs = 60_000;
    const asked = first.ask('a', scope({ signal: AbortSignal.timeout(20_000) }));
    await eventually(() => workers[0]!.calls('a') === 2, 'the job');
    await redis.client.rename('entry', entry);
    await asked;
    assert.equal(callsOf(all, 'a'), 2);
  });

  test('returns an entry that another process has published while the process fetches itself', async (t) => {
    const { first, all, provider, names } = await start(t, 1, 0);
    await first.ask('b');
    const stored = () => redis.client.get(names.entry('position:b'));
    await eventually(async () => (await stored()) !== null, 'an entry');
    const text = (await stored())!;
    provider.delayMs = 60_000;
    const asked = first.ask('a');
    await eventually(() => callsOf(all, 'a') === 1, 'a call');
    const { fetchId } = JSON.parse(text) as { fetchId: string };
    await redis.client.set(names.entry(KEY), text, 'PX', 100_000);
    await redis.client.publish(names.fetchMessages, `other stored ${fetchId} ${KEY}`);
    assert.equal((await asked).fetchId, fetchId);
  });

  test('drops jobs that are old, of an unknown kind, or invalid, and then takes the next job', async (t) => {
    const { first, workers, queueKey, openQueue } = await start(t, 1, 1);
    const queue = openQueue();
    const good = { kind: 'position', request: requestOf('a'), fetchId: 'f', freshForMs: 0 };
    const wrong: unknown[] = [null, 7, {}, { ...good, kind: 'forecast' }, { ...good, request: 1 }];
    for (const data of wrong) await queue.add('fetch', data);
    await queue.add('fetch', good, { timestamp: Date.now() - 21_000 });
    const { openQueue: ofImpatient, workers: impatient } = await start(t, 0, 1, 0, {
      REQUEST_TIMEOUT_MS: '5000',
    });
    await ofImpatient().add('fetch', good, { timestamp: Date.now() - 6000 });
    const expired = ({ reason }: Record<string, unknown>) => reason === 'expired';
    await eventually(() => impatient[0]!.records.some(expired), 'a job that nobody waits for');
    const id = 'fetch-damaged';
    await queue.add('fetch', good, { jobId: id, delay: 200 });
    await redis.client.hset(`${queueKey}:${id}`, 'data', '{not JSON');
    const dropped = () => workers[0]!.records.filter(({ event }) => event === 'fetch_job_dropped');
    await eventually(() => dropped().length === 6, 'six dropped jobs');
    assert.deepEqual(
      new Set(dropped().map(({ reason }) => reason)),
      new Set(['invalid', 'expired']),
    );
    assert.equal(callsOf(workers, 'a'), 0);
    await first.ask('b');
    assert.equal(callsOf(workers, 'b'), 1);
    assert.ok(!workers[0]!.records.some(({ level }) => Number(level) >= 50));
  });

  test('reports the waiting jobs and the age of the oldest', async (t) => {
    const { first, openQueue } = await start(t, 1, 0);
    assert.deepEqual(await first.backlog(), { waiting: 0, oldestMs: 0 });
    const queue = openQueue();
    for (const age of [900_000, 0]) await queue.add('fetch', {}, { timestamp: Date.now() - age });
    const { waiting, oldestMs } = await first.backlog();
    assert.equal(waiting, 2);
    assertWithin(oldestMs, 890_000, 1_200_000);
  });

  test('that failed in another process is made once by each that waits, and no failure is stored', async (t) => {
    const { replicas, all, provider, names } = await start(t, 3, 1);
    provider.failure = new ServiceUnavailableError('down', { retryAfterMs: 7000 });
    const failed = await Promise.allSettled(replicas.map((replica) => replica.ask('a')));
    for (const result of failed) {
      assert.equal(result.status, 'rejected');
      assert.equal((result.reason as ServiceUnavailableError).retryAfterSeconds, 7);
    }
    assert.deepEqual(
      all.map((each) => each.calls('a')),
      all.map(() => 1),
    );
    assert.equal(await redis.client.exists(names.entry(KEY)), 0);
    delete provider.failure;
    await replicas[0]!.ask('a');
    assert.equal(callsOf(all, 'a'), 5);
  });

  test('does not wait for a job that has ended, as after consecutive failures', async (t) => {
    const { replicas, provider } = await start(t, 2, 1);
    Object.assign(provider, { delayMs: 1, failure: new ServiceUnavailableError('down') });
    const loop = async (replica: Member) => {
      for (let n = 0; n < 50; n += 1) await replica.ask('a').catch(() => undefined);
    };
    await Promise.all(replicas.map(loop));
    const logged = replicas.flatMap(({ records }) => records).map(({ event }) => event);
    assert.ok(!logged.includes('fetch_jobs_not_started'));
  });

  test('refreshes an entry once over all processes, and only if it is due', async (t) => {
    const { replicas, all, provider } = await start(t, 3, 1);
    provider.ttl = { freshMs: 10_000, staleMs: 0 };
    await replicas[0]!.ask('a');
    for (const replica of replicas) replica.refresh('a');
    await eventually(() => callsOf(all, 'a') === 2, 'the refresh');
    await sleep(500);
    assert.equal(callsOf(all, 'a'), 2);
    provider.ttl = TTL;
    await replicas[0]!.ask('b');
    for (const replica of replicas) replica.refresh('b');
    await sleep(500);
    assert.equal(callsOf(all, 'b'), 1);
  });

  test('is made by another process if its process aborts it at the end of a shutdown', async (t) => {
    const { both, provider } = await start(t, 0, 0, 2);
    provider.delayMs = 1500;
    const asked = both.map((each) => each.ask('a').catch(() => undefined));
    await eventually(() => callsOf(both, 'a') === 1, 'a call');
    const ending = both.find((each) => each.calls('a') === 1);
    ending!.abort();
    const entries = await Promise.all(asked);
    assert.ok(entries.some((entry) => entry !== undefined));
    assert.deepEqual(
      both.map((each) => each.calls('a')),
      [1, 1],
    );
  });

  test('has the ID of the fetch that failed, although another fetch of the key was aborted before', async (t) => {
    const { first, workers, provider } = await start(t, 1, 1);
    const waiting = scope();
    const failed = first.ask('a', waiting).catch((error: unknown) => error);
    await eventually(() => workers[0]!.calls('a') === 1, 'a fetch');
    provider.failure = new ServiceUnavailableError('down');
    workers[0]!.abort();
    assert.ok((await failed) instanceof ServiceUnavailableError);
    const ids = first.records.filter(({ event }) => event === 'fetch').map((r) => r['fetch_id']);
    assert.deepEqual([waiting.trace.fetchId], ids);
  });

  test('that failed has an ID with a record, also if the request has joined a refresh', async (t) => {
    const { both, provider } = await start(t, 0, 0, 1);
    const [member] = both;
    provider.failure = new ServiceUnavailableError('down');
    member!.refresh('a');
    await eventually(() => callsOf(both, 'a') === 1, 'the refresh');
    const waiting = scope();
    await assert.rejects(member!.ask('a', waiting), ServiceUnavailableError);
    const ids = member!.records.filter(({ event }) => event === 'fetch').map((r) => r['fetch_id']);
    assert.deepEqual([waiting.trace.fetchId], ids);
  });

  test('runs the jobs of an ending process to their end, and leaves new ones to others', async (t) => {
    const { both, provider } = await start(t, 0, 0, 2);
    provider.delayMs = 1500;
    const asked = both[0]!.ask('a');
    await eventually(() => callsOf(both, 'a') === 1, 'a call');
    const ending = both.find((each) => each.calls('a') === 1)!;
    const drained = ending.drain(10_000);
    await ending.ask('b');
    await Promise.all([asked, drained]);
    assert.deepEqual([ending.calls('a'), ending.calls('b')], [1, 0]);
    assert.deepEqual([callsOf(both, 'a'), callsOf(both, 'b')], [1, 1]);
    assert.deepEqual(jobsNotStarted(both), []);
  });

  test('of an ending process without others is made by it, and it does not log that no process takes jobs', async (t) => {
    const { both } = await start(t, 0, 0, 1);
    await both[0]!.drain(10_000);
    await both[0]!.ask('a');
    assert.equal(callsOf(both, 'a'), 1);
    assert.deepEqual(jobsNotStarted(both), []);
  });
});

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { ServiceUnavailableError } from '../../../src/base/errors.js';
import { createNames } from '../../../src/redis/names.js';
import { assertWithin } from '../../support/assert-within.js';
import { eventually } from '../../support/eventually.js';
import { scope } from '../../support/scope.js';
import { useRedis } from '../../support/use-redis.js';
import { callsOf, requestOf, startMember, type Member, type Provider } from './fleet.js';

const TTL = { freshMs: 60_000, staleMs: 60_000 };
const KEY = 'position:a';
/** Tests at the same time: each waits most of the time. More: the timers of this process are late. */
const CONCURRENCY = 4;

const redis = useRedis();
let deployments = 0;

/** Starts processes with one provider. The names in Redis are those of one test. */
async function start(t: TestContext, replicas: number, workers: number) {
  const provider: Provider = { delayMs: 300, ttl: TTL };
  const names = createNames(`fetching${(deployments += 1)}`, 0);
  const port = Number(new URL(redis.url).port);
  const startMembers = (count: number, role: 'replica' | 'worker') =>
    Promise.all(
      Array.from({ length: count }, () => startMember(t, { port, names, role, provider })),
    );
  const fleet = {
    replicas: await startMembers(replicas, 'replica'),
    workers: await startMembers(workers, 'worker'),
  };
  if (workers > 0) {
    await eventually(async () => (await redis.client.pttl(names.heartbeat)) > 0, 'a heartbeat');
  }
  return {
    ...fleet,
    all: [...fleet.replicas, ...fleet.workers],
    first: fleet.replicas[0]!,
    provider,
    names,
    queueKey: `${names.queue}:fetches`,
    /** BullMQ's queue of the jobs. */
    openQueue: () => new Queue('fetches', { connection: redis.client, prefix: names.queue }),
  };
}

/** Writes a key again and again: the lock of another replica, or the heartbeat of a worker whose queue is paused. */
async function keep(t: TestContext, key: string) {
  const write = () => redis.client.set(key, 'x', 'PX', 2000);
  await write();
  const timer = setInterval(() => void write(), 200);
  t.after(() => {
    clearInterval(timer);
  });
}

const jobsNotStarted = (members: Member[]) =>
  members
    .flatMap(({ records }) => records)
    .filter(({ event }) => event === 'fetch_jobs_not_started');

describe('the shared fetch', { concurrency: CONCURRENCY }, () => {
  it('without a worker makes one call, of one replica, at once', async (t) => {
    const { all, replicas, queueKey } = await start(t, 3, 0);
    await Promise.all(replicas.map((replica) => replica.ask('a')));
    assert.equal(callsOf(all, 'a'), 1);
    assert.deepEqual(jobsNotStarted(all), [], 'it waited for a worker');
    assert.equal(await redis.client.llen(`${queueKey}:wait`), 0);
    assert.equal(await redis.client.hget(`${queueKey}:meta`, 'opts.maxLenEvents'), '100');
  });

  it('waits 2 s for a worker that does nothing, once, and logs it once', async (t) => {
    const { first, all, names, queueKey } = await start(t, 1, 0);
    await keep(t, names.heartbeat);
    const began = performance.now();
    await first.ask('a');
    assert.ok(performance.now() - began >= 2000);
    // No job is added for these.
    for (const name of ['b', 'c']) await first.ask(name);
    assert.equal(await redis.client.get(`${queueKey}:id`), '1');
    assert.deepEqual(
      ['a', 'b', 'c'].map((name) => callsOf(all, name)),
      [1, 1, 1],
    );
    const [record, ...others] = jobsNotStarted([first]);
    assert.deepEqual([record?.['waited_ms'], others], [2000, []]);
  });

  it('returns a fresh entry whose message was lost, although another replica has the lock', async (t) => {
    const { first, all, names } = await start(t, 1, 0);
    const entry = names.entry(KEY);
    await first.ask('a');
    await eventually(async () => (await redis.client.exists(entry)) === 1, 'an entry');
    await redis.client.rename(entry, 'entry');
    await keep(t, names.lock(KEY));
    const asked = first.ask('a', scope({ signal: AbortSignal.timeout(20_000) }));
    await sleep(500);
    await redis.client.rename('entry', entry);
    await asked;
    assert.equal(callsOf(all, 'a'), 1);
  });

  it('of a replica that takes longer than its lock makes one call, whose result all replicas get', async (t) => {
    const { replicas, all, provider, names } = await start(t, 3, 0);
    provider.delayMs = 9000;
    const asked = replicas.map((replica) => replica.ask('a'));
    await eventually(() => callsOf(all, 'a') === 1, 'a call');
    const owner = await redis.client.get(names.lock(KEY));
    const entries = await Promise.all(asked);
    assert.equal(callsOf(all, 'a'), 1);
    assert.deepEqual(new Set(entries.map(({ fetchId }) => fetchId)), new Set([owner]));
    await eventually(async () => (await redis.client.exists(names.lock(KEY))) === 0, 'no lock');
  });

  it('returns an entry that another process has published or stored, while the process fetches itself', async (t) => {
    for (const way of ['published', 'stored'] as const) {
      const { first, all, provider, names } = await start(t, 1, 0);
      await first.ask('b');
      const stored = () => redis.client.get(names.entry('position:b'));
      await eventually(async () => (await stored()) !== null, 'an entry');
      const text = (await stored())!;
      provider.delayMs = 60_000;
      const asked = first.ask('a');
      await eventually(() => callsOf(all, 'a') === 1, 'a call');
      const { fetchId } = JSON.parse(text) as { fetchId: string };
      if (way === 'stored') await redis.client.set(names.entry(KEY), text, 'PX', 100_000);
      else {
        const message = { key: KEY, fetchId, entry: JSON.parse(text) as unknown, ttlMs: 100_000 };
        await redis.client.publish(names.fetchMessages, JSON.stringify(message));
      }
      assert.equal((await asked).fetchId, fetchId);
    }
  });

  it('leaves the lock of another fetch alone when it ends', async (t) => {
    const { first, all, provider, names } = await start(t, 1, 0);
    provider.delayMs = 500;
    const asked = first.ask('a');
    await eventually(() => callsOf(all, 'a') === 1, 'a call');
    await redis.client.set(names.lock(KEY), 'another-fetch', 'PX', 5000);
    await asked;
    await eventually(async () => (await redis.client.exists(names.entry(KEY))) === 1, 'an entry');
    assert.equal(await redis.client.get(names.lock(KEY)), 'another-fetch');
  });

  it('uses a worker again within 5 s after one that did nothing', async (t) => {
    const { first, all, names } = await start(t, 1, 0);
    await redis.client.set(names.heartbeat, '', 'PX', 2400);
    await first.ask('a');
    assert.equal(jobsNotStarted(all).length, 1);
    const port = Number(new URL(redis.url).port);
    const provider: Provider = { delayMs: 1, ttl: TTL };
    const worker = await startMember(t, { port, names, role: 'worker', provider });
    const began = performance.now();
    let n = 0;
    await eventually(async () => {
      await first.ask(`name ${(n += 1)}`);
      return worker.calls(`name ${n}`) === 1;
    }, 'a fetch by the worker');
    const tookMs = performance.now() - began;
    assert.ok(tookMs < 30_000, `${tookMs} ms`);
  });

  it('drops jobs that are old, of an unknown kind, or invalid, and then takes the next job', async (t) => {
    const { first, workers, queueKey, openQueue } = await start(t, 1, 1);
    const queue = openQueue();
    const good = { kind: 'position', request: requestOf('a'), fetchId: 'f', freshForMs: 0 };
    const wrong: unknown[] = [null, 7, {}, { ...good, kind: 'forecast' }, { ...good, request: 1 }];
    for (const data of wrong) await queue.add('fetch', data);
    await queue.add('fetch', good, { timestamp: Date.now() - 21_000 });
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

  it('reports the waiting jobs and, if a worker takes jobs, the age of the oldest', async (t) => {
    const { first, names, openQueue } = await start(t, 1, 0);
    const queue = openQueue();
    for (const age of [900_000, 0]) await queue.add('fetch', {}, { timestamp: Date.now() - age });
    assert.deepEqual(await first.backlog(), { waiting: 2, oldestMs: 0 });
    await keep(t, names.heartbeat);
    assertWithin((await first.backlog()).oldestMs, 890_000, 1_200_000);
  });

  it('publishes a failure, and stores none', async (t) => {
    const { replicas, all, provider, names } = await start(t, 3, 1);
    provider.failure = new ServiceUnavailableError('down', { retryAfterMs: 7000 });
    const failed = await Promise.allSettled(replicas.map((replica) => replica.ask('a')));
    for (const result of failed) {
      assert.equal(result.status, 'rejected');
      assert.equal((result.reason as ServiceUnavailableError).retryAfterSeconds, 7);
    }
    assert.equal(callsOf(all, 'a'), 1);
    assert.deepEqual(await redis.client.exists(names.entry(KEY), names.lock(KEY)), 0);
    delete provider.failure;
    await replicas[0]!.ask('a');
    assert.equal(callsOf(all, 'a'), 2);
  });

  it('does not wait for a job that has ended: consecutive failures take less than 2 s each', async (t) => {
    const { replicas, provider } = await start(t, 2, 1);
    Object.assign(provider, { delayMs: 1, failure: new ServiceUnavailableError('down') });
    const began = performance.now();
    const loop = async (replica: Member) => {
      for (let n = 0; n < 50; n += 1) await replica.ask('a').catch(() => undefined);
    };
    await Promise.all(replicas.map(loop));
    const logged = replicas.flatMap(({ records }) => records).map(({ event }) => event);
    assert.ok(!logged.includes('fetch_jobs_not_started'), `${performance.now() - began} ms`);
  });

  it('refreshes an entry once over all processes, and only if it is due', async (t) => {
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

  it('lets another process run the fetch at once if a process aborts it at shutdown', async (t) => {
    const { replicas, all, provider, names } = await start(t, 2, 0);
    provider.delayMs = 1500;
    const lost = replicas[0]!.ask('a').catch(() => undefined);
    await eventually(() => callsOf(all, 'a') === 1, 'a call');
    const asked = replicas[1]!.ask('a');
    await sleep(300);
    const messages: string[] = [];
    const listener = redis.client.duplicate();
    t.after(() => {
      listener.disconnect();
    });
    await listener.subscribe(names.fetchMessages);
    listener.on('message', (_channel, text: string) => messages.push(text));
    replicas[0]!.abort();
    await Promise.all([lost, asked]);
    // The first message wakes the other process.
    assert.doesNotMatch(messages[0]!, /entry|failure/);
    assert.deepEqual(
      replicas.map((replica) => replica.calls('a')),
      [1, 1],
    );
  });

  it('has the ID of the fetch that failed, although another fetch of the key was aborted before', async (t) => {
    const { first, replicas, provider } = await start(t, 2, 0);
    const ending = replicas[1]!;
    const aborted = ending.ask('a').catch((error: unknown) => error);
    await eventually(() => ending.calls('a') === 1, 'a fetch');
    const waiting = scope();
    const failed = first.ask('a', waiting).catch((error: unknown) => error);
    await eventually(() => waiting.trace.fetchId !== undefined, 'a request that waits');
    provider.failure = new ServiceUnavailableError('down');
    ending.abort();
    await aborted;
    assert.ok((await failed) instanceof ServiceUnavailableError);
    const ids = first.records.filter(({ event }) => event === 'fetch').map((r) => r['fetch_id']);
    assert.deepEqual([waiting.trace.fetchId], ids);
  });

  it('runs the fetches of an ending worker to their end, and takes no more', async (t) => {
    const { first, workers, all, provider } = await start(t, 1, 1);
    provider.delayMs = 1500;
    const asked = first.ask('a');
    await eventually(() => callsOf(workers, 'a') === 1, 'a call');
    const drained = workers[0]!.drain(10_000);
    await first.ask('b');
    await Promise.all([asked, drained]);
    assert.deepEqual([callsOf(workers, 'a'), callsOf(workers, 'b')], [1, 0]);
    assert.equal(callsOf(all, 'a'), 1);
    assert.deepEqual(jobsNotStarted([first]), [], 'a job for a worker that has ended');
  });
});

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock as clock } from '../../../src/process/clock.js';
import { connect } from '../../../src/redis/client/connection.js';
import { createFetchJobs } from '../../../src/redis/fetching/jobs.js';
import { startFetchWorker } from '../../../src/redis/fetching/worker.js';
import { createGreet } from '../../../src/redis/fetching/workers.js';
import { eventually, turn } from '../../support/eventually.js';
import type { Lifetime } from '../../support/lifetime.js';
import { names } from '../../support/names.js';
import { recordingLog } from '../../support/records.js';
import { startRedisCluster } from '../../support/redis-cluster.js';
import { startRelay } from '../../support/relay.js';
import { useRedis } from '../../support/use-redis.js';
import { createGatedStore } from './members/gated-store.js';

describe("a worker's greeting in a cluster", () => {
  it('asks the node of its channel, and never one that hangs elsewhere', async (t) => {
    const cluster = await startRedisCluster({ nodeTimeoutMs: 60_000 });
    t.after(() => cluster.stop());
    const nodes = cluster.nodes.map(({ port }) => ({ host: '127.0.0.1', port }));
    const store = createGatedStore(connect({ kind: 'cluster', nodes }, 'requests'), (error) => {
      throw error;
    });
    t.after(() => {
      store.close();
    });
    const greet = createGreet(store, names);
    const greets = () =>
      greet('here').then(
        () => true,
        () => false,
      );
    await eventually(greets, 'a greeting');
    const owner = await cluster.nodeOf(names.announcements);
    const hung = cluster.nodes.find((node) => node !== owner)!;
    await hung.kill('SIGSTOP');
    for (let n = 0; n < 20; n += 1) assert.ok(await greets());
    await hung.kill('SIGCONT');
  });
});

describe('a worker with more jobs than it can take in a while', () => {
  const redis = useRedis();

  /** Works through jobs that nobody wants any more, at a Redis from which each reply takes 40 ms. */
  async function start(t: Lifetime, concurrency: number, ask: () => Promise<unknown>) {
    const store = createGatedStore(
      connect({ kind: 'single', url: redis.url }, 'requests'),
      (error) => {
        throw error;
      },
    );
    t.after(() => {
      store.close();
    });
    const jobs = createFetchJobs(store, names);
    const request = { kind: 'weather', point: { latitude: 1, longitude: 2 } } as const;
    await once(store.client, 'ready');
    await jobs.drain();
    for (let n = 0; n < 500; n += 1) await jobs.add(randomUUID(), { request, freshForMs: 0 });
    await store.client.call('CONFIG', 'RESETSTAT');

    const relay = await startRelay(t, Number(new URL(redis.url).port));
    relay.delayBy(40);
    const seen = { greetings: 0, jobs, stats: () => store.client.info('commandstats') };
    const never = () => Promise.reject(new Error('nobody wants these jobs'));
    const worker = startFetchWorker({
      client: connect({ kind: 'single', url: `redis://127.0.0.1:${relay.port}` }, 'worker'),
      ...{ names, clock, log: recordingLog().log, signal: new AbortController().signal },
      concurrency,
      store: { isWritable: () => true },
      records: {
        ask: () => ask().then(() => ({ state: 'none', fetchId: '' })),
        ...{ end: never, renew: never },
      },
      runFetch: never,
      greet: () => {
        seen.greetings += 1;
        return Promise.resolve();
      },
    });
    t.after(() => {
      worker.close();
    });
    return seen;
  }

  it('greets all the same', async (t) => {
    const seen = await start(t, 1000, turn);
    await eventually(() => seen.greetings === 3, 'three greetings');
    const { waiting } = await seen.jobs.backlog();
    assert.ok(waiting > 0, 'it greeted only when it had taken all jobs');
  });

  it('runs no more of them at once than it may, and waits for no sign of the next', async (t) => {
    let [running, highest, asked] = [0, 0, 0];
    const seen = await start(t, 4, async () => {
      running += 1;
      asked += 1;
      highest = Math.max(highest, running);
      await sleep(300);
      running -= 1;
    });
    await eventually(() => asked > 20, 'twenty jobs');
    assert.equal(highest, 4);
    assert.doesNotMatch(await seen.stats(), /bzpopmin/);
  });
});

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Redis } from 'ioredis';
import { noInstruments } from '../../../src/process/instruments.js';
import { createLogger } from '../../../src/process/log.js';
import { connect } from '../../../src/redis/client/connection.js';
import { createGuardedStore } from '../../../src/redis/client/guarded-store.js';
import { createFetchJobs } from '../../../src/redis/fetching/jobs.js';
import { weatherRequest } from '../../../src/weather/request.js';
import { eventually } from '../../support/eventually.js';
import { startRedis } from '../../support/redis-server.js';
import { openRelay } from '../../support/relay.js';

const JOB = { request: weatherRequest({ latitude: 48, longitude: 11 }), freshForMs: 0 };
const QUEUE = '{weather:queue}:fetches';

/** Jobs over a wire that can be disturbed, and an undisturbed look at Redis. */
async function startJobs(t: TestContext) {
  const server = await startRedis();
  const wire = await openRelay(server.port);
  const url = `redis://127.0.0.1:${wire.port}`;
  const log = createLogger({ enabled: false, level: 'ERROR' });
  const store = createGuardedStore(
    connect({ kind: 'single', url }, 'requests'),
    log,
    noInstruments,
  );
  const redis = new Redis(server.url);
  t.after(async () => {
    store.close();
    redis.disconnect();
    wire.close();
    await server.stop();
  });
  const jobs = createFetchJobs(store);
  const add = async (id: string) => {
    await eventually(
      () =>
        jobs.add(id, JOB).then(
          () => true,
          () => false,
        ),
      'a job',
    );
  };
  await add('first');
  return { wire, jobs, redis, add };
}

describe('a job', () => {
  it('ends by itself, also when nobody waited any more for the word that it was added', async (t) => {
    const { wire, jobs, redis, add } = await startJobs(t);
    wire.delayBy(600);
    await assert.rejects(jobs.add('late', JOB), { name: 'StoreUnavailableError' });
    wire.delayBy(0);
    await eventually(async () => (await redis.exists(`${QUEUE}:late`)) === 1, 'the job');
    await add('next');
    await eventually(async () => (await redis.pttl(`${QUEUE}:late`)) > 0, 'its life');
    await eventually(async () => (await redis.pttl(`${QUEUE}:next`)) > 0, 'its life');
  });

  it('ends by itself when the word of it was lost', async (t) => {
    const { wire, jobs, redis, add } = await startJobs(t);
    wire.delayBy(60_000);
    const adding = jobs.add('lost', JOB);
    await Promise.all([
      assert.rejects(adding, { name: 'StoreUnavailableError' }),
      eventually(async () => (await redis.exists(`${QUEUE}:lost`)) === 1, 'the job'),
    ]);
    wire.cut();
    wire.delayBy(0);
    wire.mend();
    await add('next');
    await eventually(async () => (await redis.pttl(`${QUEUE}:lost`)) > 0, 'its life');
  });
});

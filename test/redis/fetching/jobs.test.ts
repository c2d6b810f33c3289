import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { createFetchJobs } from '../../../src/redis/fetching/jobs.js';
import { weatherRequest } from '../../../src/weather/request.js';
import { names, QUEUE } from '../../support/names.js';
import { useRedis } from '../../support/use-redis.js';
import { createGatedStore } from './members/gated-store.js';

const JOB = { request: weatherRequest({ latitude: 48, longitude: 11 }), freshForMs: 0 };

describe('the jobs of fetches', () => {
  const redis = useRedis();

  it('are there until they are removed, and keep few events', async (t) => {
    const store = createGatedStore(new Redis(redis.url), (error) => {
      throw error;
    });
    t.after(() => {
      store.close();
    });
    const jobs = createFetchJobs(store, names);
    await jobs.add('a', JOB);
    await jobs.add('b', JOB);
    assert.equal((await jobs.backlog()).waiting, 2);
    assert.equal(await redis.client.hget(`${QUEUE}:meta`, 'opts.maxLenEvents'), '100');
    await jobs.drain();
    assert.equal((await jobs.backlog()).waiting, 0);
  });
});

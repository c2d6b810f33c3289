import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { createDemand } from '../../../src/redis/fetching/demand.js';
import { createFetchJobs } from '../../../src/redis/fetching/jobs.js';
import { createFetchRecords } from '../../../src/redis/fetching/record.js';
import { weatherRequest } from '../../../src/weather/request.js';
import { eventually } from '../../support/eventually.js';
import { systemClock } from '../../support/manual-clock.js';
import { plainRedisStore } from '../../support/plain-redis-store.js';
import { startRedis, type RedisServer } from '../../support/redis-server.js';
import { createGatedStore } from './interleavings/gated-store.js';

describe('what Redis holds of a fetch, overwritten or flushed', () => {
  let server: RedisServer;
  let redis: Redis;
  beforeEach(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
  });
  afterEach(async () => {
    redis.disconnect();
    await server.stop();
  });

  it('lets the demand for an entry be counted anew', async () => {
    const count = createDemand(plainRedisStore(redis));
    await redis.set('weather:demand:{k}', 'garbage');
    assert.deepEqual([await count('k', 5000), await count('k', 5000)], [1, 2]);
    assert.ok((await redis.pttl('weather:demand:{k}')) > 0);
    await redis.multi().del('weather:demand:{k}').rpush('weather:demand:{k}', 'garbage').exec();
    assert.equal(await count('k', 5000), 1);
  });

  it('leaves a run without its record, and is no error', async () => {
    const store = plainRedisStore(redis);
    const records = createFetchRecords(store, { clock: systemClock, processId: 'p' });
    const question = { mode: 'run', fetchId: 'f', token: 't', freshForMs: 0 } as const;
    assert.equal((await records.ask('k', question)).state, 'run');
    assert.equal(await records.renew('k', 't'), true);
    await redis.set('weather:fetch:{k}', 'garbage', 'KEEPTTL');
    assert.equal(await records.renew('k', 't'), false);
    const end = { fetchId: 'f', token: 't', by: 'replica', outcome: undefined } as const;
    assert.equal(await records.end('k', end), undefined);
  });

  it('has the events of the queue bounded again', async () => {
    const store = createGatedStore(new Redis(server.url), (error) => {
      throw error;
    });
    const jobs = createFetchJobs(store);
    const request = weatherRequest({ latitude: 48, longitude: 11 });
    let added = 0;
    const bounded = async () => {
      await jobs.add(`fetch-${(added += 1)}`, { request, freshForMs: 0 });
      return (await redis.hget('{weather:queue}:fetches:meta', 'opts.maxLenEvents')) === '100';
    };
    await eventually(bounded, 'a bound');
    await redis.flushall();
    await eventually(bounded, 'the bound after a flush');
    store.close();
  });
});

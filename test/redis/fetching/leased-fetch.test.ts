import { scope } from '../../support/scope.js';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { ServiceUnavailableError } from '../../../src/errors.js';
import { createRedisCache } from '../../../src/redis/cache.js';
import { createFetchState } from '../../../src/redis/fetching/fetch-state.js';
import { createLeasedFetch } from '../../../src/redis/fetching/leased-fetch.js';
import { cachedNow } from '../../../src/weather/cache.js';
import { requestKey, weatherRequest } from '../../../src/weather/request.js';
import { systemClock as clock } from '../../../src/process/clock.js';
import { plainRedisStore } from '../../support/plain-redis-store.js';
import { startRedis, type RedisServer } from '../../support/redis-server.js';

const request = weatherRequest({ latitude: 48.1, longitude: 11.5 });
const key = requestKey(request);
const LIFE = { freshMs: 60_000, staleMs: 0 };
const WEATHER = { temperature: 1, condition: 'Fog', humidity: 90, wind_speed: 3 };
const never = new AbortController().signal;

describe('a fetch under a lease', () => {
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

  /** Fetches like a process of its own. */
  function fetching(work: () => Promise<void> = () => sleep(50)) {
    const store = plainRedisStore(redis);
    const state = createFetchState(store, clock);
    const cache = createRedisCache(store, clock);
    let fetches = 0;
    const fetch = createLeasedFetch({
      store,
      state,
      cache,
      clock,
      by: 'replica',
      async fetcher() {
        fetches += 1;
        await work();
        return cachedNow(
          { kind: 'weather', weather: WEATHER, provider: 'x' },
          LIFE,
          clock.monotonic(),
        );
      },
    });
    const run = (staleAfterMs = 0) => fetch(request, never, { staleAfterMs });
    return { run, state, fetches: () => fetches };
  }

  test('is had by one of many that want it at the same moment', async () => {
    const processes = Array.from({ length: 10 }, () => fetching());
    const results = await Promise.all(processes.map(({ run }) => run()));
    assert.equal(results.filter((result) => result?.fetched).length, 1);
    assert.equal(
      processes.reduce((sum, { fetches }) => sum + fetches(), 0),
      1,
    );
  });

  test('is not done again when an entry came before the lease', async () => {
    const [first, second] = [fetching(), fetching()];
    assert.equal((await first.run())?.fetched, true);
    const found = await second.run();
    assert.deepEqual([found?.fetched, second.fetches()], [false, 0]);
    // A refresh ahead of the end is another matter.
    assert.equal((await second.run(LIFE.freshMs))?.fetched, true);
  });

  test('gives the lease back at once, after a failure too, and tells the failure', async () => {
    const failing = fetching(() => Promise.reject(new ServiceUnavailableError('no provider')));
    await assert.rejects(failing.run(), /no provider/);
    const { leased, failure } = await failing.state.look(key, scope(), false);
    assert.deepEqual([leased, failure?.message], [false, 'no provider']);
    assert.equal((await fetching().run())?.fetched, true);
  });

  test('keeps a failure to itself when the lease has passed to somebody else', async () => {
    const failing = fetching(async () => {
      // What a long freeze does: the lease ran out, and another one holds it.
      await redis.set(`weather:lease:{${key}}`, 'another');
      throw new ServiceUnavailableError('late');
    });
    await assert.rejects(failing.run(), /late/);
    const { leased, failure } = await failing.state.look(key, scope(), false);
    assert.deepEqual([leased, failure], [true, undefined]);
  });
});

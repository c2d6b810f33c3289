import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createMemoryCache } from '../../src/memory/cache.js';
import { createRedisCache } from '../../src/redis/cache.js';
import { cachedNow } from '../../src/weather/cache.js';
import { manualClock, systemClock } from '../support/manual-clock.js';
import { plainRedisStore } from '../support/plain-redis-store.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { cacheContract } from './cache.contract.js';

cacheContract('memory', () => {
  const clock = manualClock();
  return {
    cache: createMemoryCache({ clock, maxEntries: 100 }),
    clock,
    advance(ms) {
      clock.advance(ms);
      return Promise.resolve();
    },
  };
});

describe('with a Redis', () => {
  let server: RedisServer;
  let client: Redis;

  before(async () => {
    server = await startRedis();
    client = new Redis(server.url);
  });
  after(async () => {
    client.disconnect();
    await server.stop();
  });

  cacheContract('Redis', () => ({
    cache: createRedisCache(plainRedisStore(client), systemClock),
    clock: systemClock,
    advance: (ms) => sleep(ms),
  }));
});

describe('memory cache', () => {
  it('is bounded: the least recently used entry makes room', () => {
    const clock = manualClock();
    const cache = createMemoryCache({ clock, maxEntries: 2 });
    const entry = cachedNow(
      { kind: 'geocode', point: null, provider: 'x' },
      { freshMs: 1000, staleMs: 0 },
      0,
    );
    cache.put('a', entry);
    cache.put('b', entry);
    cache.peek('a');
    cache.put('c', entry);
    assert.deepEqual(
      [cache.peek('a'), cache.peek('b'), cache.peek('c')],
      [entry, undefined, entry],
    );
  });
});

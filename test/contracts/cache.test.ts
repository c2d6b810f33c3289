import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Redis } from 'ioredis';
import { createMemoryCache } from '../../src/memory/memory-cache.js';
import { createMessageRouter } from '../../src/redis/fetching/fetch-messages.js';
import { createSharedEntries } from '../../src/redis/fetching/shared-entries.js';
import type { NearCache } from '../../src/weather/cache-entry.js';
import type { Clock } from '../../src/weather/types.js';
import { manualClock } from '../support/manual-clock.js';
import { names } from '../support/names.js';
import { plainRedis } from '../support/plain-redis.js';
import { passForKeys, useRedis } from '../support/use-redis.js';
import { cacheContract, type Cache } from './cache.contract.js';
import { kinds } from '../support/kinds.js';

function nearCache(cache: NearCache): Cache {
  return {
    get: (key) => Promise.resolve(cache.peek(key)),
    set(key, entry) {
      cache.put(key, entry);
      return Promise.resolve();
    },
  };
}

/** Entries in Redis, as fetches store them. */
function sharedCache(client: Redis, clock: Clock): Cache {
  const redis = plainRedis(client);
  const entries = createSharedEntries({ redis, clock, names }, createMessageRouter(), kinds);
  return {
    async get(key) {
      const source = kinds.get(key.slice(0, key.indexOf(':')));
      assert.ok(source);
      const { entry } = await entries.read(source.kind, key);
      return entry;
    },
    set: (key, entry) =>
      entries.finish(key, { fetchId: 'fetch-1', outcome: 'stored', result: { entry } }),
  };
}

cacheContract('memory', () => {
  const clock = manualClock();
  return {
    cache: nearCache(createMemoryCache({ clock, maxBytes: 1_000_000 })),
    clock,
    advance(ms) {
      clock.advance(ms);
      return Promise.resolve();
    },
  };
});

describe('with a Redis', () => {
  const redis = useRedis();

  cacheContract('Redis', () => {
    const clock = manualClock();
    return {
      cache: sharedCache(redis.client, clock),
      clock,
      advance(ms) {
        clock.advance(ms);
        return passForKeys(redis.client, ms);
      },
    };
  });
});

import { after, before, describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createMemorySessions } from '../../src/memory/sessions.js';
import { createRedisSessions } from '../../src/redis/sessions.js';
import { manualClock } from '../support/manual-clock.js';
import { plainRedisStore } from '../support/plain-redis-store.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { sessionsContract, TTL_SECONDS } from './sessions.contract.js';

sessionsContract('memory', () => {
  const clock = manualClock();
  // The library takes an entry of time 0 for one without a time.
  clock.advance(1);
  return {
    ...createMemorySessions({ clock, ttlSeconds: TTL_SECONDS, maxSessions: 100 }),
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

  sessionsContract('Redis', () => ({
    ...createRedisSessions(plainRedisStore(client), TTL_SECONDS),
    advance: (ms) => sleep(ms),
  }));
});

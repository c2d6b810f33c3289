import { randomUUID } from 'node:crypto';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createMemorySlidingWindow } from '../../src/memory/sliding-window.js';
import { createRedisSlidingWindow } from '../../src/redis/sliding-window.js';
import { plainRedisStore } from '../support/plain-redis-store.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { slidingWindowContract } from './sliding-window.contract.js';

let now = 5_000_000;
slidingWindowContract('memory', () => ({
  open: (limit, windowSeconds) =>
    createMemorySlidingWindow({
      limit,
      windowSeconds,
      clock: { monotonic: () => now },
      maxKeys: 100,
      maxSlots: 100_000,
    }),
  pass(ms) {
    now += ms;
    return Promise.resolve();
  },
  unitsPerMs: 1,
  schedules: 400,
}));

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
slidingWindowContract('Redis', () => ({
  open: (limit, windowSeconds) =>
    createRedisSlidingWindow(plainRedisStore(client), { name: randomUUID(), limit, windowSeconds }),
  // A timer may fire a little early by another clock than its own.
  pass: (ms) => sleep(ms === 0 ? 0 : ms + 2),
  unitsPerMs: 1000,
  schedules: 6,
}));

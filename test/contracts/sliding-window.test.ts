import { randomUUID } from 'node:crypto';
import { after, before } from 'node:test';
import { Redis } from 'ioredis';
import { createMemoryWindow } from '../../src/memory/window.js';
import { createNames } from '../../src/redis/names.js';
import { createSharedWindows } from '../../src/redis/windows.js';
import { passInRedis } from '../support/limiters.js';
import { plainRedisStore } from '../support/plain-redis-store.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { slidingWindowContract } from './sliding-window.contract.js';

let now = 5_000_000;
slidingWindowContract('memory', () => ({
  open(limit, windowMs) {
    const clock = { monotonic: () => now };
    const bounds = { maxKeys: 100, maxInstants: 100_000 };
    return Object.assign(createMemoryWindow({ limit, windowMs, clock, ...bounds }), { limit });
  },
  pass(ms) {
    now += ms;
    return Promise.resolve();
  },
  now: () => now,
  schedules: 200,
}));

let server: RedisServer;
let client: Redis;
let passedMs = 0;
before(async () => {
  server = await startRedis();
  client = new Redis(server.url);
});
after(async () => {
  client.disconnect();
  await server.stop();
});
slidingWindowContract('Redis', () => ({
  open(limit, windowMs) {
    const names = createNames(randomUUID(), 0);
    const store = plainRedisStore(client);
    const windows = createSharedWindows(store, [{ limit, windowMs }], (id) => [
      names.window(id, 'test'),
    ]);
    return {
      limit,
      async count(key) {
        const { refusedBy, states } = await windows.count(key);
        return { admitted: refusedBy === undefined, ...states[0]! };
      },
    };
  },
  async pass(ms) {
    await passInRedis(client, ms);
    passedMs += ms;
  },
  now: () => performance.now() + passedMs,
  schedules: 20,
}));

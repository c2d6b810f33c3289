import { randomUUID } from 'node:crypto';
import { after, before } from 'node:test';
import { Redis } from 'ioredis';
import { createMemoryWindows } from '../../src/memory/windows.js';
import { createNames } from '../../src/redis/names.js';
import { createRedisWindows } from '../../src/redis/windows.js';
import { passInRedis } from '../support/limiters.js';
import { plainRedisStore } from '../support/plain-redis-store.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { slidingWindowContract, windowOf } from './sliding-window.contract.js';

let now = 5_000_000;
slidingWindowContract('memory', () => ({
  open(limit, windowMs) {
    const clock = { monotonic: () => now };
    const windows = createMemoryWindows({ clock, maxKeys: 100, maxInstants: 100_000 });
    return windowOf(windows, limit, windowMs);
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
    return windowOf(createRedisWindows(plainRedisStore(client), names), limit, windowMs);
  },
  async pass(ms) {
    await passInRedis(client, ms);
    passedMs += ms;
  },
  now: () => performance.now() + passedMs,
  schedules: 20,
}));

import { randomUUID } from 'node:crypto';
import { createMemoryWindows } from '../../src/memory/memory-windows.js';
import { createNames } from '../../src/redis/names.js';
import { createRedisWindows } from '../../src/redis/redis-windows.js';
import { passInRedis } from '../support/limiters.js';
import { plainRedis } from '../support/plain-redis.js';
import { useRedis } from '../support/use-redis.js';
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
}));

const redis = useRedis();
slidingWindowContract('Redis', () => ({
  open(limit, windowMs) {
    const names = createNames(randomUUID(), 0);
    return windowOf(createRedisWindows(plainRedis(redis.client), names), limit, windowMs);
  },
  pass: (ms) => passInRedis(redis.client, ms),
}));

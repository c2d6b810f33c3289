import { randomUUID } from 'node:crypto';
import { createNames } from '../../src/redis/names.js';
import { createRedisWindows } from '../../src/redis/redis-windows.js';
import { plainRedis } from '../support/plain-redis.js';
import { passInRedis, useRedis } from '../support/use-redis.js';
import { slidingWindowContract } from './sliding-window.contract.js';

const redis = useRedis();
slidingWindowContract('Redis', {
  open() {
    const names = createNames(randomUUID(), 0);
    return [1, 2, 3].map(() => createRedisWindows(plainRedis(redis.client), names));
  },
  pass: (ms) => passInRedis(redis.client, ms),
});

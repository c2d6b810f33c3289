import { randomUUID } from 'node:crypto';
import { createFetchLimiter } from '../../src/limits/limiter.js';
import { passInRedis, redisLimiters, redisWindows } from '../support/limiters.js';
import { useRedis } from '../support/use-redis.js';
import { limiterContract } from './limiter.contract.js';

const redis = useRedis();
limiterContract('Redis', () => ({
  shared: true,
  open(processes, limits) {
    const prefix = randomUUID();
    return Array.from({ length: processes }, () => redisLimiters(redis.client, prefix, limits));
  },
  openFetches(processes, fetchesPerIp) {
    const prefix = randomUUID();
    return Array.from({ length: processes }, () =>
      createFetchLimiter({ fetchesPerIp }, redisWindows(redis.client, prefix)),
    );
  },
  pass: (ms) => passInRedis(redis.client, ms),
}));

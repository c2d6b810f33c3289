import { randomUUID } from 'node:crypto';
import { passInRedis, redisLimiters } from '../support/limiters.js';
import { useRedis } from '../support/use-redis.js';
import { limiterContract } from './limiter.contract.js';

const redis = useRedis();
limiterContract('Redis', () => ({
  shared: true,
  open(processes, limits) {
    const prefix = randomUUID();
    return Array.from({ length: processes }, () => redisLimiters(redis.client, prefix, limits));
  },
  pass: (ms) => passInRedis(redis.client, ms),
}));

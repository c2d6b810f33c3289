import { randomUUID } from 'node:crypto';
import { createLocalLimiter } from '../../src/limits/limiter.js';
import { createMemoryLimits } from '../../src/memory/limits.js';
import { passInRedis, redisLimiters } from '../support/limiters.js';
import { manualClock } from '../support/manual-clock.js';
import { useRedis } from '../support/use-redis.js';
import { limiterContract } from './limiter.contract.js';

const clock = manualClock();
limiterContract('memory', () => ({
  shared: false,
  open: (processes, rateLimits) =>
    Array.from({ length: processes }, () => {
      const limits = { ...rateLimits, replicasHint: 1, dryRun: false };
      const windows = createMemoryLimits({ limits, replicas: 1, clock });
      return (kind) => createLocalLimiter(windows(kind));
    }),
  pass(ms) {
    clock.advance(ms);
    return Promise.resolve();
  },
}));

const redis = useRedis();
limiterContract('Redis', () => ({
  shared: true,
  open(processes, limits) {
    const prefix = randomUUID();
    return Array.from({ length: processes }, () => redisLimiters(redis.client, prefix, limits));
  },
  pass: (ms) => passInRedis(redis.client, ms),
}));

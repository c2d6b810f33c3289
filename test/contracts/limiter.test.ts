import { randomUUID } from 'node:crypto';
import { createLimiter } from '../../src/limits/limiter.js';
import { createMemoryWindows } from '../../src/memory/memory-windows.js';
import { passInRedis, redisLimiters } from '../support/limiters.js';
import { manualClock } from '../support/manual-clock.js';
import { useRedis } from '../support/use-redis.js';
import { limiterContract } from './limiter.contract.js';

const clock = manualClock();
limiterContract('memory', () => ({
  shared: false,
  open: (processes, limits) =>
    Array.from({ length: processes }, () => {
      const windows = createMemoryWindows({ clock, maxKeys: 100, maxInstants: 10_000 });
      return (kind) => createLimiter(kind, { ...limits, replicasHint: 1 }, windows);
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

import { randomUUID } from 'node:crypto';
import { after, before } from 'node:test';
import { Redis } from 'ioredis';
import { createLocalLimiter } from '../../src/limits/limiter.js';
import { createMemoryLimits } from '../../src/memory/limits.js';
import { passInRedis, redisLimiters } from '../support/limiters.js';
import { manualClock } from '../support/manual-clock.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
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
limiterContract('Redis', () => ({
  shared: true,
  open(processes, limits) {
    const prefix = randomUUID();
    return Array.from({ length: processes }, () => redisLimiters(client, prefix, limits));
  },
  pass: (ms) => passInRedis(client, ms),
}));

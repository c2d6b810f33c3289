import type { Redis } from 'ioredis';
import type { Limiter, RateLimits, RequestKind } from '../../src/limits/limiter.js';
import { createMemoryLimits } from '../../src/memory/limits.js';
import { createRedisLimiters } from '../../src/redis/limits.js';
import { createNames } from '../../src/redis/names.js';
import type { Clock } from '../../src/weather/types.js';
import { systemClock } from './manual-clock.js';
import { plainRedisStore } from './plain-redis-store.js';

/** The limiter of one process over one plain connection. Processes with one prefix count together. */
export function redisLimiter(
  connection: Redis,
  prefix: string,
  limits: RateLimits,
  options: { kind?: RequestKind; replicas?: number; clock?: Clock } = {},
): Limiter {
  return redisLimiters(connection, prefix, limits, options)(options.kind ?? 'weather');
}

/** The limiters of one process, by kind of request. */
export function redisLimiters(
  connection: Redis,
  prefix: string,
  rateLimits: RateLimits,
  { replicas = 1, clock = systemClock }: { replicas?: number; clock?: Clock } = {},
): (kind: RequestKind) => Limiter {
  const limits = { ...rateLimits, replicasHint: replicas, dryRun: false };
  return createRedisLimiters({
    store: plainRedisStore(connection),
    names: createNames(prefix, 0),
    limits,
    local: createMemoryLimits({ limits, replicas, clock }),
    updateFor: undefined,
    clock,
  });
}

/** Redis's clock cannot be set: its windows are moved into the past instead. */
const PASS = `
for _, key in ipairs(redis.call('KEYS', '*:window*')) do
  for i, value in ipairs(redis.call('LRANGE', key, 0, -1)) do
    local instant, rest = string.match(value, '^(%d+)(.*)$')
    if instant then
      local moved = string.format('%.0f', instant - tonumber(ARGV[1]) * 1000)
      redis.call('LSET', key, i - 1, moved .. rest)
    end
  end
  local life = redis.call('PTTL', key)
  if life > 0 then redis.call('PEXPIRE', key, life - tonumber(ARGV[1])) end
end`;

/** Lets so many milliseconds pass for all windows of a Redis; fewer than 0: its clock goes back. */
export async function passInRedis(client: Redis, ms: number): Promise<void> {
  await client.eval(PASS, 0, ms);
}

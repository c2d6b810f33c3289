import type { Redis } from 'ioredis';
import { withFallback } from '../../src/redis/windows-fallback.js';
import {
  createLimiter,
  type Limiter,
  type RateLimits,
  type RequestGroup,
} from '../../src/limits/limiter.js';
import type { Windows } from '../../src/limits/rate-limit-window.js';
import { createMemoryWindows } from '../../src/memory/memory-windows.js';
import { createNames } from '../../src/redis/names.js';
import { createRedisWindows } from '../../src/redis/redis-windows.js';
import { systemClock as clock } from './manual-clock.js';
import { plainRedis } from './plain-redis.js';

/** Limits, with a default for the number of replicas. */
export type LimitsUnderTest = Omit<RateLimits, 'replicasHint' | 'fetchesPerIp'> & {
  replicasHint?: number;
};

/** The limiters of one process over one connection, by kind of request. Processes with one prefix count together. */
export function redisLimiters(
  connection: Redis,
  prefix: string,
  limits: LimitsUnderTest,
): (group: RequestGroup) => Limiter {
  const local = localWindows();
  const windows = redisWindows(connection, prefix, local);
  return (kind) =>
    createLimiter(kind, { replicasHint: 1, ...limits }, kind === 'suggestions' ? local : windows);
}

/** The windows of one process over one connection. */
export function redisWindows(connection: Redis, prefix: string, local = localWindows()): Windows {
  const shared = createRedisWindows(plainRedis(connection), createNames(prefix, 0));
  return withFallback(shared, local, clock, () => true);
}

const localWindows = () => createMemoryWindows({ clock, maxKeys: 1000, maxInstants: 100_000 });

/** The clock of Redis cannot be set, so its windows are moved into the past instead. */
const PASS = `
for _, key in ipairs(redis.call('KEYS', '*:window*')) do
  for i, value in ipairs(redis.call('LRANGE', key, 0, -1)) do
    local instant = tonumber(value)
    if instant then
      redis.call('LSET', key, i - 1, string.format('%.0f', instant - tonumber(ARGV[1]) * 1000))
    end
  end
  local life = redis.call('PTTL', key)
  if life > 0 then redis.call('PEXPIRE', key, life - tonumber(ARGV[1])) end
end`;

/** Advances the clock of Redis for all windows, in milliseconds. Negative: the clock steps back. */
export async function passInRedis(client: Redis, ms: number): Promise<void> {
  await client.eval(PASS, 0, ms);
}

import type { Redis } from 'ioredis';
import { withFallback } from '../../src/limits/fallback.js';
import {
  createLimiter,
  type Limiter,
  type RateLimits,
  type RequestKind,
} from '../../src/limits/limiter.js';
import { rememberingRefusals } from '../../src/limits/refusals.js';
import { createMemoryWindows } from '../../src/memory/windows.js';
import { createNames } from '../../src/redis/names.js';
import { createRedisWindows } from '../../src/redis/windows.js';
import type { Clock } from '../../src/weather/types.js';
import { systemClock } from './manual-clock.js';
import { plainRedisStore } from './plain-redis-store.js';

/** What limits are tried with, unless a test says otherwise. */
export type LimitsUnderTest = Omit<RateLimits, 'replicasHint'> & { replicasHint?: number };

/** The limiter of one process over one plain connection. Processes with one prefix count together. */
export function redisLimiter(
  connection: Redis,
  prefix: string,
  limits: LimitsUnderTest,
  options: { kind?: RequestKind; clock?: Clock } = {},
): Limiter {
  return redisLimiters(connection, prefix, limits, options)(options.kind ?? 'weather');
}

/** The limiters of one process, by kind of request. */
export function redisLimiters(
  connection: Redis,
  prefix: string,
  limits: LimitsUnderTest,
  { clock = systemClock }: { clock?: Clock } = {},
): (kind: RequestKind) => Limiter {
  const local = createMemoryWindows({ clock, maxKeys: 1000, maxInstants: 100_000 });
  const shared = createRedisWindows(plainRedisStore(connection), createNames(prefix, 0));
  const remembering = rememberingRefusals(shared, { clock, maxRefusals: 1000 });
  const windows = withFallback(remembering, local, clock);
  return (kind) =>
    createLimiter(kind, { replicasHint: 1, ...limits }, kind === 'suggestions' ? local : windows);
}

/** Redis's clock cannot be set: its windows are moved into the past instead. */
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

/** Lets so many milliseconds pass for all windows of a Redis; fewer than 0: its clock goes back. */
export async function passInRedis(client: Redis, ms: number): Promise<void> {
  await client.eval(PASS, 0, ms);
}

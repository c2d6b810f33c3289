import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import {
  MAX_INSTANTS_PER_KEY,
  type SlidingWindow,
  type WindowState,
} from '../limits/sliding-window.js';
import type { RedisStore } from './client/store.js';

/*
 * One list per key. Its records are «instant:total»: µs of Redis's clock, and how many were ever
 * admitted on this key up to then. The first record is the last one that left the window; so the
 * count within the window is the last total less the first. Numbers are written with %.0f, because
 * Lua's own conversion keeps only 14 digits.
 *
 * An instant is rounded up to a slice of the window when the limit is high. Such a record leaves
 * later than its admissions would, never earlier: the rounding can only refuse too much.
 *
 * When the clock went back (a correction, or a failover to a server whose clock is behind), records
 * of the future are moved to now. Their admissions lie in the past, so none leaves too early, and
 * after one window the step is forgotten.
 *
 * The reply is what rate-limiter-flexible asks of a custom script, {consumed, ms}, only that the
 * second value is a pair {ms, instant}; see `toState`.
 */
const CONSUME = `
local cost, limit, window = tonumber(ARGV[1]), tonumber(ARGV[3]), tonumber(ARGV[4]) * 1000000
local slice = limit > ${MAX_INSTANTS_PER_KEY} and window / ${MAX_INSTANTS_PER_KEY} or 1
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local instant = math.ceil(now / slice) * slice

local function read(index)
  local record = redis.call('LINDEX', KEYS[1], index)
  if not record then return nil end
  local at, total = string.match(record, '^(%d+):(%d+)$')
  return tonumber(at), tonumber(total)
end
local function record(total)
  return string.format('%.0f:%.0f', instant, total)
end
local function expire()
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', math.ceil((window + slice) / 1000)))
end

local _, left = read(0)
local first, upToFirst = read(1)
while first and first + window <= now do
  redis.call('LPOP', KEYS[1])
  left = upToFirst
  first, upToFirst = read(1)
end

local last, total = read(-1)
if first and last > instant then
  while redis.call('LLEN', KEYS[1]) > 1 and (read(-1)) > instant do
    redis.call('RPOP', KEYS[1])
  end
  redis.call('RPUSH', KEYS[1], record(total))
  expire()
  first, last = read(1), instant
end

local count = left and total - left or 0
if count + cost > limit then
  return {limit + 1, {math.ceil((first + window - now) / 1000), -1}}
end
if not left then
  redis.call('RPUSH', KEYS[1], '0:0', record(cost))
elseif first and last == instant then
  redis.call('LSET', KEYS[1], -1, record(total + cost))
else
  redis.call('RPUSH', KEYS[1], record(total + cost))
end
expire()
return {count + cost, {math.ceil(((first or instant) + window - now) / 1000), instant}}
`;

/*
 * Takes one admission back out of the record that it was counted in. By its instant and not «the
 * oldest» or «the newest»: taking away a later record than the one meant would let too many pass,
 * taking an earlier one would keep counting a request that was refused. Not found: nothing to do.
 */
const REFUND = `
local instant = tonumber(ARGV[1])
local records = redis.call('LRANGE', KEYS[1], 0, -1)
local function read(index)
  local at, total = string.match(records[index], '^(%d+):(%d+)$')
  return tonumber(at), tonumber(total)
end
local index = #records
while index > 1 and (read(index)) > instant do index = index - 1 end
if index < 2 or (read(index)) ~= instant then return 0 end
for i = index, #records do
  local at, total = read(i)
  redis.call('LSET', KEYS[1], i - 1, string.format('%.0f:%.0f', at, total - 1))
end
local _, before = read(index - 1)
local _, total = read(index)
if total - 1 == before then
  redis.call('LREM', KEYS[1], -1, string.format('%.0f:%.0f', instant, before))
end
return 1
`;

export interface RedisSlidingWindowOptions {
  /** Names the limit in Redis: keys are `weather:limit:<name>:<key>`. */
  name: string;
  /** Requests per window and key, at least 1. */
  limit: number;
  /** Whole seconds, at least 1. */
  windowSeconds: number;
}

/** The library hands the second value of the script's reply on as it is, whatever its type says. */
function toState(admitted: boolean, limit: number, reply: RateLimiterRes): WindowState {
  const [msUntilOldestLeaves, countedAt] = reply.msBeforeNext as unknown as [number, number];
  return { admitted, limit, remaining: reply.remainingPoints, msUntilOldestLeaves, countedAt };
}

/** A sliding window shared by all processes on one Redis, whose clock decides. */
export function createRedisSlidingWindow(
  store: RedisStore,
  { name, limit, windowSeconds }: RedisSlidingWindowOptions,
): SlidingWindow {
  // The library registers its script on the client under one name, the latest replacing the others:
  // all windows share one text and take their numbers as arguments, so it does not matter whose.
  const limiter = new RateLimiterRedis({
    storeClient: store.client,
    customIncrTtlLuaScript: CONSUME,
    keyPrefix: `weather:limit:${name}`,
    points: limit,
    duration: windowSeconds,
  });
  const refund = store.script('weatherLimitRefund', REFUND);

  async function consume(key: string): Promise<WindowState> {
    try {
      return toState(true, limit, await limiter.consume(key));
    } catch (error) {
      // It rejects with a result when it refuses, and with an Error when Redis failed.
      if (error instanceof RateLimiterRes) return toState(false, limit, error);
      throw error;
    }
  }

  return {
    limit,
    consume: (key, scope) => store.run(limiter.getKey(key), () => consume(key), scope),
    async refund(key, admitted, scope) {
      await refund([limiter.getKey(key)], [admitted.countedAt], scope);
    },
  };
}

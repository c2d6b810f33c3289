import { ifUnavailable } from '../errors.js';
import { BREAKER_POLICY, type Breakers, type Transition } from '../upstream/breakers.js';
import type { RedisStore } from './client/store.js';

/**
 * One hash a breaker: `failures` in a row, `openings`, `openUntil`, `probeUntil` (milliseconds of
 * Redis's clock). ARGV: the event, the upstream's own wait in ms or -1, then the policy.
 * Answers two integers. To `acquire` and `look`: {1, 0 without any failure, 1 for a probe, 2 else} or
 * {0, wait in ms}. To a report: the transition (1 opened, 2 closed, 0 none), and 0.
 */
const SCRIPT = `
local key, event, wait = KEYS[1], ARGV[1], tonumber(ARGV[2])
local failuresToOpen, firstOpen, maxOpen, probeFor, keepFor =
  tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stored = redis.pcall('HMGET', key, 'openUntil', 'probeUntil', 'openings', 'failures')
-- What is no hash is no breaker. A question writes nothing: a read-only Redis answers it too.
if stored.err then
  stored = {}
  if event ~= 'acquire' and event ~= 'look' then redis.call('DEL', key) end
end
local openUntil, probeUntil = tonumber(stored[1]), tonumber(stored[2]) or 0
local openings = tonumber(stored[3]) or 0

local function keep(untilThen)
  redis.call('PEXPIRE', key, math.max(untilThen - now, 0) + keepFor)
end

if event == 'acquire' or event == 'look' then
  if not openUntil then return {1, stored[4] and 2 or 0} end
  local blockedUntil = math.max(openUntil, probeUntil)
  if now < blockedUntil then return {0, blockedUntil - now} end
  if event == 'acquire' then redis.call('HSET', key, 'probeUntil', now + probeFor) end
  return {1, 1}
end

if event == 'abandoned' then
  redis.call('HDEL', key, 'probeUntil')
  return {0, 0}
end

if event == 'succeeded' then
  if openUntil and now < openUntil then return {0, 0} end
  if stored[4] then redis.call('DEL', key) end
  return {openUntil and 2 or 0, 0}
end

if openUntil and now < openUntil then
  if now + wait > openUntil then
    redis.call('HSET', key, 'openUntil', now + wait)
    keep(now + wait)
  end
  return {0, 0}
end
local failures = (tonumber(stored[4]) or 0) + 1
redis.call('HSET', key, 'failures', failures)
if not openUntil and wait < 0 and failures < failuresToOpen then
  keep(now)
  return {0, 0}
end
local openFor = wait
if openFor < 0 then openFor = math.min(firstOpen * 2 ^ openings, maxOpen) end
redis.call('HSET', key, 'openUntil', now + openFor, 'openings', openings + 1)
redis.call('HDEL', key, 'probeUntil')
keep(now + openFor)
return {openUntil and 0 or 1, 0}
`;

type Event = 'acquire' | 'look' | 'succeeded' | 'failed' | 'abandoned';

/** A breaker that nobody asks about for so long after its last change is forgotten. */
const KEEP_MS = 86_400_000;
/** What the script says to a question with the permission. */
const SPOTLESS = 0;
const PROBE = 1;
const TRANSITIONS: Transition[] = [undefined, 'opened', 'closed'];

/**
 * Breakers that all processes share, by Redis's clock.
 * @param fallback decides while Redis is unavailable or takes no writes
 */
export function createRedisBreakers(store: RedisStore, fallback: Breakers): Breakers {
  const script = store.script('weatherBreaker', SCRIPT);
  const { failuresToOpen, firstOpenMs, maxOpenMs, probeMs } = BREAKER_POLICY;
  const policy = [failuresToOpen, firstOpenMs, maxOpenMs, probeMs, KEEP_MS];
  /**
   * Upstreams whose last report Redis did not take. A read-only Redis still admits everyone to
   * them. What this process knows decides until a report gets through.
   */
  const unreported = new Set<string>();
  /**
   * Upstreams without a failure, as far as this process knows: there a success changes nothing, and
   * is not reported.
   */
  const spotless = new Set<string>();

  /** Undefined while Redis is unavailable. */
  function tell(
    name: string,
    event: Event,
    waitMs?: number,
  ): Promise<[number, number] | undefined> {
    const args = [event, waitMs === undefined ? -1 : Math.ceil(waitMs), ...policy];
    const reply = script([`weather:breaker:{${name}}`], args) as Promise<[number, number]>;
    return ifUnavailable(reply, undefined);
  }

  return {
    async acquire(name) {
      const answer = unreported.has(name) ? undefined : await tell(name, 'acquire');
      if (answer?.[0] === 1 && answer[1] === SPOTLESS) spotless.add(name);
      else spotless.delete(name);
      if (!answer) return fallback.acquire(name);
      const [allowed, value] = answer;
      return allowed === 1
        ? { allowed: true, probe: value === PROBE }
        : { allowed: false, retryAfterMs: value };
    },
    async succeeded(name) {
      if (spotless.has(name)) return undefined;
      const answer = await tell(name, 'succeeded');
      if (!answer) {
        unreported.add(name);
        return fallback.succeeded(name);
      }
      const transition = TRANSITIONS[answer[0]];
      return unreported.delete(name) ? (transition ?? fallback.succeeded(name)) : transition;
    },
    async failed(name, failure) {
      spotless.delete(name);
      const answer = await tell(name, 'failed', failure.retryAfterMs);
      if (!answer) {
        unreported.add(name);
        return fallback.failed(name, failure);
      }
      unreported.delete(name);
      return TRANSITIONS[answer[0]];
    },
    async abandoned(name) {
      await fallback.abandoned(name);
      await tell(name, 'abandoned');
    },
    async isOpen(name) {
      const answer = unreported.has(name) ? undefined : await tell(name, 'look');
      return answer ? answer[0] === 0 : fallback.isOpen(name);
    },
  };
}

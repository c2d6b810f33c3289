import type { Budget } from '../upstream/budgets.js';
import { budgetFunctions, longestWindowMs } from './budget-script.js';
import { PRELUDE } from './sliding-window-scripts.js';

/**
 * Both questions before a call in one script: the breaker's, and that of the provider's budget.
 *
 * KEYS[1]: one hash a breaker: `failures` in a row, `openings`, `openUntil`, `probeUntil`
 * (milliseconds of Redis's clock). The other keys are the budget's.
 * ARGV: the event, the upstream's own wait in ms or -1, the id of the call ('' for none) and the time
 * (ms) after which it is given up, then the policy.
 * Answers integers:
 * - to `acquire` and `look`: {1, 0 without any failure, 1 for a probe, 2 else} or
 *   {0, wait in ms}; with a budget also {2, wait in ms} when
 *   no call fits, and to `acquire` two more: what changed, and whether the call is counted
 * - to `left`: what is left of each window
 * - to a report: the transition (1 opened, 2 closed, 0 none), and 0
 */
export function breakerScript(budget: Budget | undefined): string {
  return `${PRELUDE}
local key, event, wait, callId, callMs =
  KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local failuresToOpen, firstOpen, maxOpen, probeFor, keepFor =
  tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
local nowMs = math.floor(now / 1000)
${budget ? budgetFunctions(budget) : ''}
${budget ? LEFT : ''}
local stored = redis.pcall('HMGET', key, 'openUntil', 'probeUntil', 'openings', 'failures')
-- What is no hash is no breaker. A question writes nothing: a read-only Redis answers it too.
if stored.err then
  stored = {}
  if event ~= 'acquire' and event ~= 'look' then redis.call('DEL', key) end
end
local openUntil, probeUntil = tonumber(stored[1]), tonumber(stored[2]) or 0
local openings = tonumber(stored[3]) or 0

local function keep(untilThen)
  redis.call('PEXPIRE', key, math.max(untilThen - nowMs, 0) + keepFor)
end

if event == 'acquire' or event == 'look' then
  if openUntil then
    local blockedUntil = math.max(openUntil, probeUntil)
    if nowMs < blockedUntil then return {0, blockedUntil - nowMs} end
  end
  -- 0 without any failure, 1 for a probe, 2 else.
  local probe = openUntil and 1 or stored[4] and 2 or 0
  ${budget ? admission(budget) : 'local change, counted = 0, 1'}
  if event == 'acquire' and openUntil then redis.call('HSET', key, 'probeUntil', nowMs + probeFor) end
  return {1, probe, change, counted}
end

${budget ? "if callId ~= '' then endCall(callId) end" : ''}
if event == 'abandoned' then
  redis.call('HDEL', key, 'probeUntil')
  return {0, 0}
end

if event == 'succeeded' then
  if openUntil and nowMs < openUntil then return {0, 0} end
  if stored[4] then redis.call('DEL', key) end
  return {openUntil and 2 or 0, 0}
end

if openUntil and nowMs < openUntil then
  if nowMs + wait > openUntil then
    redis.call('HSET', key, 'openUntil', nowMs + wait)
    keep(nowMs + wait)
  end
  return {0, 0}
end
local failures = (tonumber(stored[4]) or 0) + 1
redis.call('HSET', key, 'failures', failures)
if not openUntil and wait < 0 and failures < failuresToOpen then
  keep(nowMs)
  return {0, 0}
end
local openFor = wait
if openFor < 0 then openFor = math.min(firstOpen * 2 ^ openings, maxOpen) end
redis.call('HSET', key, 'openUntil', nowMs + openFor, 'openings', openings + 1)
redis.call('HDEL', key, 'probeUntil')
keep(nowMs + openFor)
return {openUntil and 0 or 1, 0}
`;
}

const LEFT = `
if event == 'left' then
  local _, _, left = measure()
  return left
end
`;

const admission = (budget: Budget): string => `
  local callWait, change, counted = 0, 0, 1
  if event == 'look' then callWait = measure()
  else callWait, change, counted = admitCall(callId, callMs, ${longestWindowMs(budget)}) end
  if callWait > 0 then return {2, callWait, change} end`;

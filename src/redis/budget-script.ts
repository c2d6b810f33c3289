import { BUDGET_POLICY, type Budget } from '../upstream/budgets.js';
import { ADD, constants, instantOf, READ } from './sliding-window-scripts.js';

/*
 * The budget of a provider in Redis. A call counts from its beginning until a window's length after
 * its end: it may reach the provider at any time in between. So what is under way has a key of its
 * own, a sorted set of call ids by the time (ms) at which they are given up; a call is counted in
 * the windows when it ends. The end of a call whose process was killed is the time it is given up.
 *
 * KEYS[2] is that set, KEYS[3] holds the time (ms) of the last refusal while the budget is spent. The
 * windows follow.
 */

/** Most windows of one budget: every one of them costs a few commands for each call. */
export const MAX_WINDOWS = 4;

const DAY_MS = 86_400_000;

/** The Lua functions of a budget. They need \`now\` (µs) and \`nowMs\`. */
export function budgetFunctions({ windows, atOnce }: Budget): string {
  const entries = windows.map(
    (window, index) => `
  { key = KEYS[${index + 4}], limit = ${window.limit}, length = ${window.windowSeconds * 1e6},
    instant = ${instantOf(window)}, settings = { ${constants(window)} } },`,
  );
  return `${READ}${ADD}
local calls, spent = KEYS[2], KEYS[3]
local windows = {${entries.join('')}
}

local function readWindow(w) return read(w.key, w.instant, unpack(w.settings)) end

local function count(times)
  for _ = 1, times do
    for _, w in ipairs(windows) do
      local s = w.settings
      add(w.key, w.instant, s[1], s[2], s[3], s[4], readWindow(w))
    end
  end
end

local function underWay()
  local number = redis.pcall('ZCARD', calls)
  return type(number) == 'number' and number or 0
end

-- What was given up counts as ended now.
local function giveUpOverdue()
  if type(redis.pcall('ZCARD', calls)) ~= 'number' then redis.call('DEL', calls) end
  count(redis.call('ZREMRANGEBYSCORE', calls, '-inf', nowMs))
end

-- Milliseconds until a call fits, whether much is left, and what is left of each window.
local function measure()
  local running, wait, roomy, left = underWay(), 0, true, {}
  for i, w in ipairs(windows) do
    local _, live, total, gone, oldest = readWindow(w)
    local used = total - gone + running
    left[i] = math.max(0, w.limit - used)
    roomy = roomy and left[i] * 2 >= w.limit
    if used >= w.limit then
      local soonest = live > 0 and oldest + w.length - now or w.length
      wait = math.max(wait, math.ceil(soonest / 1000))
    end
  end
  if ${atOnce === undefined ? 'false' : `running >= ${atOnce}`} then
    wait = math.max(wait, ${BUDGET_POLICY.atOnceWaitMs})
  end
  return wait, roomy, left
end

local function refusedAt()
  local text = redis.pcall('GET', spent)
  return type(text) == 'string' and tonumber(text) or false
end

-- Returns the wait of a call that does not fit, or 0; what changed (1 spent, 2 free, 0 nothing); and
-- whether the call is counted: a Redis that takes no writes counts nothing.
local function admitCall(call, callMs, longest)
  pcall(giveUpOverdue)
  local wait, roomy = measure()
  local refused = refusedAt()
  if wait > 0 then
    local told = pcall(redis.call, 'SET', spent, nowMs, 'PX', ${DAY_MS})
    return wait, told and not refused and 1 or 0, 0
  end
  local counted = pcall(function()
    redis.call('ZADD', calls, nowMs + callMs, call)
    redis.call('PEXPIRE', calls, callMs + longest)
  end)
  if counted and refused and roomy and nowMs - refused >= ${BUDGET_POLICY.quietMs} then
    redis.call('DEL', spent)
    return 0, 2, 1
  end
  return 0, 0, counted and 1 or 0
end

local function endCall(call)
  giveUpOverdue()
  if redis.call('ZREM', calls, call) == 1 then count(1) end
end
`;
}

/** The longest window of a budget, in milliseconds. */
export function longestWindowMs({ windows }: Budget): number {
  return Math.max(...windows.map(({ windowSeconds }) => windowSeconds * 1000));
}

import { MAX_INSTANTS_PER_KEY } from '../limits/window.js';

/**
 * Counts in all windows, or in none when one of them is full.
 *
 * A window is a list of the instants (µs of Redis's clock) at which it admitted, oldest first. Above
 * MAX_INSTANTS_PER_KEY, each of them stands for a group of admissions, and is that of the last one.
 * The list then ends with `admissions of the newest group/size of a group`.
 *
 * Two cases are rare and write a list anew: the limit was configured anew and has groups of another
 * size, and the clock went back. Then instants of the future are moved to now. They lie in the past,
 * so none leaves too early, and after one window the step is forgotten.
 *
 * KEYS: a list for each window. ARGV: 1, or 0 to count nothing; then limit and length (µs) of each.
 * The reply is {consumed, numbers}, as rate-limiter-flexible asks of a script: 1 when all admitted, 2
 * when one refused. Then the number of the window that refused, or 0, and for each window what is
 * left, and in how many milliseconds, rounded up, the oldest leaves; 0 while nothing is counted.
 */
export const WINDOWS_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local cost = tonumber(ARGV[1])

local function item(key, index)
  return redis.call('LINDEX', key, index) or ''
end

-- The newest instant, the admissions of its group where the list says them, and the size of a group.
local function tail(key)
  local last = item(key, -1)
  local instant = tonumber(last)
  if instant then return instant, nil, 1 end
  local newest, size = string.match(last, '^([1-9]%d*)/([1-9]%d*)$')
  return tonumber(item(key, -2)), tonumber(newest), tonumber(size)
end

local function expire(key, length)
  redis.call('PEXPIRE', key, math.ceil(length / 1000) + 1)
end

local function append(key, values, length)
  redis.call('RPUSH', key, unpack(values))
  expire(key, length)
end

-- Writes a list anew, in groups of another size, with nothing of the future and no garbage.
local function rewrite(key, size, length)
  local _, newest, oldSize = tail(key)
  local instants = {}
  for _, value in ipairs(redis.call('LRANGE', key, 0, -1)) do
    local instant = tonumber(value)
    if instant then instants[#instants + 1] = math.min(instant, now) end
  end
  redis.call('DEL', key)
  if #instants == 0 then return end
  oldSize = oldSize or 1
  local total = (#instants - 1) * oldSize + (newest or 1)
  local skipped = math.max(0, math.ceil(total / size) - ${MAX_INSTANTS_PER_KEY})
  local groups, counted = {}, 0
  for i, instant in ipairs(instants) do
    counted = i < #instants and i * oldSize or total
    while skipped + #groups < math.floor(counted / size) do groups[#groups + 1] = instant end
  end
  if total % size > 0 then groups[#groups + 1] = instants[#instants] end
  if size > 1 then groups[#groups + 1] = (total - 1) % size + 1 .. '/' .. size end
  append(key, groups, length)
end

local function read(key, limit, length)
  local size = math.ceil(limit / ${MAX_INSTANTS_PER_KEY})
  local items = redis.pcall('LLEN', key)
  if type(items) ~= 'number' then
    redis.call('DEL', key)
    items = 0
  end
  local newest, oldSize
  if items > 0 then
    local last
    last, newest, oldSize = tail(key)
    if oldSize ~= size or not last or last > now then
      rewrite(key, size, length)
      last, newest = tail(key)
      items = redis.call('LLEN', key)
    end
  end
  local groups = newest and items - 1 or items
  local oldest
  while groups > 0 do
    -- What is no number is none of ours, and leaves at once.
    oldest = tonumber(item(key, 0)) or 0
    if oldest + length > now then break end
    redis.call('LPOP', key)
    groups = groups - 1
  end
  if groups == 0 then
    if newest then redis.call('DEL', key) end
    return { used = 0, size = size, length = length }
  end
  local used = (groups - 1) * size + (newest or 1)
  return { used = used, size = size, length = length, newest = newest, oldest = oldest }
end

local function add(key, w)
  if w.newest and w.newest < w.size then
    redis.call('LSET', key, -2, now)
    redis.call('LSET', key, -1, w.newest + 1 .. '/' .. w.size)
    expire(key, w.length)
    return
  end
  if w.newest then redis.call('RPOP', key) end
  append(key, w.size > 1 and { now, '1/' .. w.size } or { now }, w.length)
end

local windows, refusedBy = {}, 0
for i, key in ipairs(KEYS) do
  local limit, length = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local w = read(key, limit, length)
  if refusedBy == 0 and w.used + cost > limit then refusedBy = i end
  w.left = math.max(0, limit - w.used)
  windows[i] = w
end

local reply = { refusedBy }
for i, key in ipairs(KEYS) do
  local w = windows[i]
  if refusedBy == 0 and cost == 1 then
    add(key, w)
    w.left = w.left - 1
    w.oldest = w.size > 1 and w.used < w.size and now or w.oldest or now
  end
  reply[#reply + 1] = w.left
  reply[#reply + 1] = w.oldest and math.ceil((w.oldest + w.length - now) / 1000) or 0
end
return { refusedBy == 0 and 1 or 2, reply }
`;

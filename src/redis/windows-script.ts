import { MAX_INSTANTS_PER_KEY } from '../limits/window.js';

/**
 * Counts in all windows, or in none when one of them is full.
 *
 * A window is a list of the instants (µs of Redis's clock) at which it admitted, oldest first. Above
 * MAX_INSTANTS_PER_KEY, each of them stands for a group of admissions, and is that of the last one.
 * The newest is then written as `instant:admissions of its group/size of a group`.
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
local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local cost = tonumber(ARGV[1])

local function item(key, index)
  return call('LINDEX', key, index) or ''
end

-- An item's instant, the admissions of its group where the item says them, and the size of a group.
local function parse(value)
  local instant = tonumber(value)
  if instant then return instant, nil, 1 end
  local text, newest, size = string.match(value, '^(%d+):([1-9]%d*)/([1-9]%d*)$')
  newest, size = tonumber(newest), tonumber(size)
  -- More than fit into a group, or a size that no limit asks for: none of ours.
  if not size or newest > size or size > 1e9 then return nil, nil, 1 end
  return tonumber(text), newest, size
end

local function newestItem(instant, newest, size)
  return size > 1 and string.format('%.0f:%d/%d', instant, newest, size) or instant
end

-- A key outlives its newest admission by a window at least, and by a quarter more: so its life is
-- renewed once in a quarter of a window, and not by every admission. When a window was configured to
-- be longer, its keys may expire once by their old life.
local function expire(key, length, last)
  local quarter = length / 4
  if last and math.floor(last / quarter) == math.floor(now / quarter) then return end
  call('PEXPIRE', key, math.ceil(length * 1.25 / 1000) + 1)
end

-- Writes a list anew, in groups of another size, with nothing of the future and no garbage.
local function rewrite(key, size, length)
  local _, newest, oldSize = parse(item(key, -1))
  local instants = {}
  for _, value in ipairs(call('LRANGE', key, 0, -1)) do
    local instant = parse(value)
    if instant then instants[#instants + 1] = math.min(instant, now) end
  end
  call('DEL', key)
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
  groups[#groups] = newestItem(groups[#groups], (total - 1) % size + 1, size)
  call('RPUSH', key, unpack(groups))
  expire(key, length)
end

local function read(key, limit, length)
  local size = math.ceil(limit / ${MAX_INSTANTS_PER_KEY})
  local groups = redis.pcall('LLEN', key)
  if type(groups) ~= 'number' then
    call('DEL', key)
    groups = 0
  end
  local last, newest, oldSize
  if groups > 0 then
    last, newest, oldSize = parse(item(key, -1))
    if oldSize ~= size or not last or last > now then
      rewrite(key, size, length)
      last, newest = parse(item(key, -1))
      groups = call('LLEN', key)
    end
  end
  local oldest
  while groups > 0 do
    -- What is no instant is none of ours, and leaves at once.
    oldest = groups == 1 and last or parse(item(key, 0)) or 0
    if oldest + length > now then break end
    call('LPOP', key)
    groups = groups - 1
  end
  local w = { used = 0, size = size, length = length, last = last }
  if groups > 0 then
    w.used, w.newest, w.oldest = (groups - 1) * size + (newest or 1), newest, oldest
  end
  return w
end

local function add(key, w)
  if w.newest and w.newest < w.size then
    call('LSET', key, -1, newestItem(now, w.newest + 1, w.size))
  else
    if w.newest then call('LSET', key, -1, w.last) end
    call('RPUSH', key, newestItem(now, 1, w.size))
  end
  expire(key, w.length, w.used > 0 and w.last)
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

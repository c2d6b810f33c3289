import { MAX_INSTANTS_PER_KEY } from '../limits/window.js';
import { UPDATE_SESSION } from './session-script.js';

/**
 * Counts in all windows, or in none when one of them is full. If they admit, it updates a session in the
 * same step: a request of a session is one command to Redis.
 *
 * A window is a list of the instants (µs of Redis's clock) at which it admitted, oldest first. Above
 * MAX_INSTANTS_PER_KEY, each of them stands for a group of admissions, and is that of the last one.
 * While the newest group still grows, its item is `instant:admissions`.
 *
 * When the clock goes back, instants of the future are moved to now. They lie in the past, so none
 * leaves too early, and after one window the step is forgotten.
 *
 * KEYS: a list for each window, whose name says the size of its groups; then the session, if there is
 * one. ARGV: 1, or 0 to count nothing; how many windows; limit and length (µs) of each; then what
 * UPDATE_SESSION takes. The reply is {consumed, numbers}, as rate-limiter-flexible asks of a script: 1
 * when all admitted, 2 when one refused. Then the number of the window that refused, or 0; for each
 * window what remains, and in how many milliseconds, rounded up, the oldest leaves, or 0 while nothing
 * is counted; and what UPDATE_SESSION returned, or false where it was not asked for or refused.
 */
export const WINDOWS_SCRIPT = `${UPDATE_SESSION}
local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local cost = tonumber(ARGV[1])

-- Instant and admissions of a group. What is none of ours leaves at once.
local function parse(value, size)
  local instant = tonumber(value)
  if instant then return instant, size end
  local text, admissions = string.match(value, '^(%d+):(%d+)$')
  return tonumber(text) or 0, math.min(tonumber(admissions) or size, size)
end

local function write(instant, admissions, size)
  return admissions < size and string.format('%.0f:%d', instant, admissions) or instant
end

local function read(key, limit, length)
  local w = { used = 0, size = math.ceil(limit / ${MAX_INSTANTS_PER_KEY}), length = length }
  local groups = redis.pcall('LLEN', key)
  if type(groups) ~= 'number' then
    call('DEL', key)
    return w
  end
  if groups == 0 then return w end
  w.last, w.newest = parse(call('LINDEX', key, -1), w.size)
  if w.last > now then
    for index = -2, -groups, -1 do
      if parse(call('LINDEX', key, index), w.size) <= now then break end
      call('LSET', key, index, now)
    end
    call('LSET', key, -1, write(now, w.newest, w.size))
    w.last = now
  end
  repeat
    local oldest = groups == 1 and w.last or parse(call('LINDEX', key, 0), w.size)
    if oldest + length > now then
      w.oldest, w.used = oldest, (groups - 1) * w.size + w.newest
      return w
    end
    call('LPOP', key)
    groups = groups - 1
  until groups == 0
  w.last = nil
  return w
end

local function add(key, w)
  if w.last and w.newest < w.size then
    call('LSET', key, -1, write(now, w.newest + 1, w.size))
    if w.used < w.size then w.oldest = now end
  else
    call('RPUSH', key, write(now, 1, w.size))
    w.oldest = w.oldest or now
  end
  w.used = w.used + 1
  -- A key outlives its newest admission by a window at least, and by a quarter more: so its life is
  -- renewed once in a quarter of a window, and not by every admission.
  local quarter = w.length / 4
  if w.last and math.floor(w.last / quarter) == math.floor(now / quarter) then return end
  call('PEXPIRE', key, math.ceil(w.length * 1.25 / 1000) + 1)
end

local windows, refusedBy, count = {}, 0, tonumber(ARGV[2])
for i = 1, count do
  local limit = tonumber(ARGV[2 * i + 1])
  local w = read(KEYS[i], limit, tonumber(ARGV[2 * i + 2]))
  w.limit = limit
  if refusedBy == 0 and w.used + cost > limit then refusedBy = i end
  windows[i] = w
end

local reply = { refusedBy }
for i, w in ipairs(windows) do
  if refusedBy == 0 and cost == 1 then add(KEYS[i], w) end
  reply[#reply + 1] = math.max(0, w.limit - w.used)
  reply[#reply + 1] = w.oldest and math.ceil((w.oldest + w.length - now) / 1000) or 0
end
local session = KEYS[count + 1]
local updated, issued = false, false
if session and refusedBy == 0 then
  updated, issued = pcall(updateSession, session, unpack(ARGV, 2 * count + 3))
end
reply[#reply + 1] = updated and issued
return { refusedBy == 0 and 1 or 2, reply }
`;

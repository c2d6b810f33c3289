-- Decides about several requests in order. A request counts in all of its windows or, if one is
-- full, in none. After typed.lua.
--
-- A window lists the instants of admissions, oldest first, in microseconds of the Redis clock (9 to
-- 10 bytes each). Non-numbers count as expired. The key expires when its newest instant does.
--
-- If the Redis clock has stepped back and the oldest instant is in the future, all become now. A
-- window therefore never rejects requests for longer than its length.
--
-- KEYS: the windows of each request, in the same order for each. Requests may have keys in common.
-- ARGV: 1 to count, 0 to read, -1 to remove the newest instant of each window; number of windows of
--   a request; the limit of each; the length of each in microseconds; the number of the call.
-- Reply: the number of the call; then two numbers for each key: the remaining requests, or -1 for
--   the first full window of its request; and the milliseconds, rounded up, until the oldest
--   instant expires, or 0 without one. If the limit was higher before, a window can have more
--   instants than its limit: the second number is then for the instant whose end makes room.
local call, cost, width = redis.call, tonumber(ARGV[1]), tonumber(ARGV[2])
local limits, lengths, ttls = {}, {}, {}
for i = 1, width do
  limits[i], lengths[i] = tonumber(ARGV[2 + i]), tonumber(ARGV[2 + width + i])
  ttls[i] = string.format('%.0f', math.ceil(lengths[i] / 1000) + 1)
end
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local instant = string.format('%.0f', now)
-- By key: the number of instants in the window, the oldest, the number to be added, and the TTL.
local used, oldest, added, ttl = {}, {}, {}, {}
local instants, reply, size = {}, {ARGV[#ARGV]}, 1
-- Elements of one RPUSH. The stack of Lua holds fewer than 8,000.
local MAX_PUSHED = 4000

-- Replaces all instants of a list by now.
local function restart(key, count, ttl)
  local renewed = {}
  for n = 1, math.min(count, MAX_PUSHED) do renewed[n] = instant end
  call('DEL', key)
  for left = count, 1, -MAX_PUSHED do
    call('RPUSH', key, unpack(renewed, 1, math.min(left, MAX_PUSHED)))
  end
  call('PEXPIRE', key, ttl)
end

for first = 1, #KEYS, width do
  local rejectedBy
  for i = 1, width do
    local key = KEYS[first + i - 1]
    if not used[key] then
      local count, edge = typed('LLEN', key), now - lengths[i]
      if not count then
        call('DEL', key)
        count = 0
      end
      -- Removes expired instants. Each step is as long as all before it. A step that is too long
      -- is halved, and from then on steps do not grow.
      local step, gone, isTooLong = 1, 0, false
      while count > 0 do
        local at = tonumber(call('LINDEX', key, step == 1 and '0' or step - 1)) or 0
        if at <= edge or at ~= at then
          call('LTRIM', key, step, '-1')
          count, gone = count - step, gone + step
          step = math.min(isTooLong and step or gone, count)
        elseif step > 1 then
          step, isTooLong = math.floor(step / 2), true
        else
          if at > now then
            count = math.min(count, limits[i])
            restart(key, count, ttls[i])
            at = now
          end
          local excess = count - limits[i]
          oldest[key] = excess > 0 and tonumber(call('LINDEX', key, excess)) or at
          break
        end
      end
      used[key], ttl[key] = count, ttls[i]
    end
    if cost > 0 and not rejectedBy and used[key] >= limits[i] then rejectedBy = i end
  end
  if cost > 0 and not rejectedBy then instants[#instants + 1] = instant end
  for i = 1, width do
    local key = KEYS[first + i - 1]
    if cost < 0 and used[key] > 0 then
      call('LTRIM', key, 0, -2)
      used[key] = used[key] - 1
    elseif cost > 0 and not rejectedBy then
      used[key], added[key] = used[key] + 1, (added[key] or 0) + 1
      oldest[key] = oldest[key] or now
    end
    local at = oldest[key]
    reply[size + 1] = i == rejectedBy and -1 or math.max(0, limits[i] - used[key])
    reply[size + 2] = at and math.ceil((at + lengths[i] - now) / 1000) or 0
    size = size + 2
  end
end
for key, count in pairs(added) do
  call('RPUSH', key, unpack(instants, 1, count))
  call('PEXPIRE', key, ttl[key])
end
return reply

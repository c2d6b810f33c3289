import type { Window } from '../limits/windows.js';

/** Windows of one shape are counted by one script: their limits and lengths are in its text. */
export type Shape = readonly Pick<Window, 'limit' | 'windowMs'>[];

/**
 * Decides requests in their order, each with the counts of those before it: a request counts in all of
 * its windows or, when one of them is full, in none.
 *
 * A window is a list of the instants (µs of Redis's clock) at which it admitted, oldest first. What is
 * no number has left. The key outlives its newest instant by a window, and by a quarter more: version
 * 2 renews its life only once in a quarter.
 *
 * When the clock has gone back, a window whose instants all lie in the future is moved to now. Of one
 * that lies there in part, some count for longer, never shorter, and for two windows at most.
 *
 * KEYS: the windows of each request, in the order of the shape; a key may come again with the next
 * request. ARGV: 1, or 0 to count nothing. The reply has for each of KEYS what remains, or -1 when it is
 * the first of its request that is full; and in how many milliseconds, rounded up, the oldest leaves, or 0.
 */
export function windowsScript(shape: Shape): string {
  const ofEach = (value: (window: Shape[number]) => string | number) => shape.map(value).join(', ');
  return `
local limits = { ${ofEach(({ limit }) => limit)} }
local lengths = { ${ofEach(({ windowMs }) => windowMs * 1000)} }
local lives = { ${ofEach(({ windowMs }) => `'${Math.ceil(windowMs * 1.25) + 1}'`)} }
local call, cost = redis.call, tonumber(ARGV[1])
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local instant = string.format('%.0f', now)
-- By key: how many instants are in the window, the oldest of them, how many are to be added, and life.
local used, oldest, added, life = {}, {}, {}, {}
local instants, reply, size = {}, {}, 0

for first = 1, #KEYS, ${shape.length} do
  local refusedBy
  for i = 1, ${shape.length} do
    local key = KEYS[first + i - 1]
    if not used[key] then
      local count, edge = redis.pcall('LLEN', key), now - lengths[i]
      if type(count) ~= 'number' then
        call('DEL', key)
        count = 0
      end
      -- Instants that have left go: one, and one more, then twice as many each time, until that is too
      -- many; then half as many.
      local step, gone, isTooMany = 1, 0, false
      while count > 0 do
        local at = tonumber(call('LINDEX', key, step == 1 and '0' or step - 1)) or 0
        if at <= edge or at ~= at then
          call('LTRIM', key, step, '-1')
          count, gone = count - step, gone + step
          step = math.min(isTooMany and step or gone, count)
        elseif step > 1 then
          step, isTooMany = math.floor(step / 2), true
        else
          if at > now then
            for index = 0, count - 1 do call('LSET', key, index, instant) end
            at = now
          end
          oldest[key] = at
          break
        end
      end
      used[key], life[key] = count, lives[i]
    end
    if not refusedBy and used[key] + cost > limits[i] then refusedBy = i end
  end
  if cost > 0 and not refusedBy then instants[#instants + 1] = instant end
  for i = 1, ${shape.length} do
    local key = KEYS[first + i - 1]
    if cost > 0 and not refusedBy then
      used[key], added[key] = used[key] + 1, (added[key] or 0) + 1
      oldest[key] = oldest[key] or now
    end
    local at = oldest[key]
    reply[size + 1] = i == refusedBy and -1 or math.max(0, limits[i] - used[key])
    reply[size + 2] = at and math.ceil((at + lengths[i] - now) / 1000) or 0
    size = size + 2
  end
end
for key, count in pairs(added) do
  call('RPUSH', key, unpack(instants, 1, count))
  call('PEXPIRE', key, life[key])
end
return reply
`;
}

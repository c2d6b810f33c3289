-- Records searches and confirms sessions, after session.lua. A search's instant is now minus its
-- age. Order and repetition of recordings do not matter: a search that the bound has dropped is
-- older than ten other places, and stays so. If Redis hangs, a command runs late: its age is too
-- low, its instant too high. The recording is then repeated, so its lowest instant is right. If the
-- Redis clock has stepped back, a list with future searches becomes older than the new search.
-- KEYS: the session of each recording; a session may occur more than once.
-- ARGV: as in session.lua; maximum number of searches; for each recording its TTL, the search's
--   age in microseconds, and its line without the instant ('' only confirms); number of the call.
-- Reply: the number of the call.
local INSTANT, REST = string.rep('%d', 16), '\t[^\n]*\n'
local call, sub, find, format = redis.call, string.sub, string.find, string.format
local time = call('TIME')
local now = time[1] * 1000000 + time[2]

-- Two integers: a decimal format takes twice as long, and an integer format may have only 32 bits.
local function textOf(instant)
  if instant < 0 then instant = 0 end
  local micros = instant % 1000000
  return format('%010d%06d', (instant - micros) / 1000000, micros)
end

-- Makes all searches of a list older than an instant, in their order.
local function moveBefore(instant, list)
  local shift = tonumber(sub(list, 1, 16)) - instant + 1
  return (string.gsub(list, '(' .. INSTANT .. ')(' .. REST .. ')', function(at, rest)
    return textOf(math.min(at - shift, instant - 1)) .. rest
  end))
end

-- Adds a search, drops damaged lines. Keeps a place's newer search, and one search's lower instant.
local function merge(list, instant, search)
  local newest = tonumber(sub(list, 1, 16)) or 0
  if newest > now then
    list, newest = moveBefore(instant, list), 0
  end
  local place = sub(search, 1, find(search, '\t', 2, true))
  -- The newest place is often repeated. A list of ten then costs hardly more than a list of one.
  if newest < instant and sub(list, 17, 16 + #place) == place then
    if sub(list, 17, 16 + #search) == search then return list end
    return textOf(instant) .. search .. sub(list, (find(list, '\n', 17, true) or #list) + 1)
  end
  -- Instants have one length, so the newer line is the greater one.
  local new, lines, isIn = textOf(instant) .. search, {}, false
  for line in string.gmatch(list, INSTANT .. REST) do
    local isSame = sub(line, 17, 16 + #place) == place
    if isSame and (sub(line, 17) == search) == (line < new) then return list end
    if line < new and not isIn then
      lines[#lines + 1], isIn = new, true
    end
    if not isSame then lines[#lines + 1] = line end
  end
  if not isIn then lines[#lines + 1] = new end
  return table.concat(lines, '', 1, math.min(#lines, tonumber(ARGV[4])))
end

-- By key: the lines, and the longer TTL. A repeated session is read and written once.
local lists, ttls = {}, {}
for i, key in ipairs(KEYS) do
  local ttl, age, search = ARGV[3 * i + 2], ARGV[3 * i + 3], ARGV[3 * i + 4]
  if search ~= '' then
    lists[key] = merge(lists[key] or linesOf(key), now - age, search)
    if ttls[key] ~= ARGV[1] then ttls[key] = ttl end
  end
end
for key, list in pairs(lists) do
  local ttl = ttls[key]
  -- A confirmed session remains confirmed.
  if ttl ~= ARGV[1] then ttl = math.min(ARGV[1], math.max(ttl, call('TTL', key))) end
  call('SET', key, list, 'EX', ttl)
end
for i, key in ipairs(KEYS) do
  if ARGV[3 * i + 4] == '' then confirm(key) end
end
return {ARGV[#ARGV]}

/**
 * A session is one string: `?` while it is unconfirmed, then a line for each search, newest first. A
 * line holds the instant of the response (microseconds, 16 digits), the place key, and city and country as
 * JSON, separated by tabs. No part contains a raw tab or line break.
 */
const READ = `
-- Returns the searches and whether the session is confirmed. A damaged value is no session.
local function read(key)
  local value = redis.pcall('GET', key)
  if type(value) ~= 'string' or not string.find(value, '^%??%d+\\t') then return '', false end
  if string.sub(value, 1, 1) == '?' then return string.sub(value, 2), false end
  return value, true
end`;

/**
 * Lists the searches of a session and confirms it. KEYS: the session. ARGV: TTL of a confirmed session in
 * seconds. If Redis rejects the write (read-only, out of memory), the searches are returned all the same.
 */
export const LIST = `${READ}
local list, isConfirmed = read(KEYS[1])
if list ~= '' and not isConfirmed then redis.pcall('SET', KEYS[1], list, 'EX', ARGV[1]) end
return list`;

/**
 * Records searches and confirms sessions. The result depends neither on the order of the recordings nor on
 * repetitions: a search that the bound has dropped is older than ten other places, and stays so.
 * KEYS: the session of each recording; a session may occur more than once. ARGV: TTL of a confirmed and
 * of an unconfirmed session in seconds, maximum number of searches; then for each recording: `?` if the
 * session is unconfirmed, and the line of the search, or '' to confirm the session only.
 */
export const RECORD = `${READ}
local LINE = string.rep('%d', 16) .. '\\t[^\\n]*\\n'
local call, sub = redis.call, string.sub

-- Adds a line, and leaves out damaged ones. Instants have one length, so the newer line is the greater one.
local function merge(list, new)
  if list == '' then return new end
  local place = string.match(new, '\\t.-\\t')
  local lines, isIn = {}, false
  for line in string.gmatch(list, LINE) do
    local isSame = sub(line, 17, 16 + #place) == place
    if isSame and line >= new then return list end
    if line < new and not isIn then
      lines[#lines + 1], isIn = new, true
    end
    if not isSame then lines[#lines + 1] = line end
  end
  if not isIn then lines[#lines + 1] = new end
  return table.concat(lines, '', 1, math.min(#lines, tonumber(ARGV[3])))
end

-- Replaces the instant of the newest search of a confirmed session if the new search is the same. A list of
-- ten searches then costs hardly more than a list of one.
-- head: the beginning of the value
local function repeatNewest(key, head, new)
  if type(head) ~= 'string' or sub(head, 17, #new) ~= sub(new, 17) then return false end
  local instant = sub(new, 1, 16)
  if sub(head, 1, 16) > instant then return false end
  call('SETRANGE', key, '0', instant)
  call('EXPIRE', key, ARGV[1])
  return true
end

local function confirm(key)
  local list, isConfirmed = read(key)
  if list ~= '' and not isConfirmed then call('SET', key, list, 'EX', ARGV[1]) end
end

local function record(key, mark, line)
  -- Numbers instead of these texts would cost half as much as the command.
  local head = redis.pcall('GETRANGE', key, '0', '199')
  if repeatNewest(key, head, line) then return end
  local list, isConfirmed = '', false
  if head ~= '' then list, isConfirmed = read(key) end
  if isConfirmed then mark = '' end
  call('SET', key, mark .. merge(list, line), 'EX', mark == '' and ARGV[1] or ARGV[2])
end

for i, key in ipairs(KEYS) do
  local mark, line = ARGV[2 * i + 2], ARGV[2 * i + 3]
  if line ~= '' then record(key, mark, line) elseif mark == '' then confirm(key) end
end
return #KEYS`;

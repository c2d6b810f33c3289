/**
 * A session is one string with a line for each search, newest first. A line holds the instant of the
 * response (microseconds, 16 digits), the place key, and city and country as JSON, separated by tabs. No
 * part contains a raw tab or line break. A session that has the TTL of an unconfirmed one, or less, counts
 * as unconfirmed.
 */
const CONFIRM = `
local function confirm(key)
  if ARGV[1] == ARGV[2] or redis.call('TTL', key) > tonumber(ARGV[2]) then return end
  redis.pcall('EXPIRE', key, ARGV[1])
end`;

/**
 * Lists the searches of a session and confirms it. KEYS: the session. ARGV: TTL of a confirmed and of an
 * unconfirmed session in seconds. If Redis is read-only, the script still returns the searches.
 */
export const LIST = `${CONFIRM}
confirm(KEYS[1])
local list = redis.pcall('GET', KEYS[1])
return type(list) == 'string' and list or ''`;

/**
 * Records searches and confirms sessions. The result depends neither on the order of the recordings nor on
 * repetitions: a search that the bound has dropped is older than ten other places, and stays so.
 * KEYS: the session of each recording; a session may occur more than once. ARGV: TTL of a confirmed and
 * of an unconfirmed session in seconds, maximum number of searches; then for each recording: its TTL, and
 * the line of the search, or '' to confirm the session only.
 */
export const RECORD = `${CONFIRM}
local LINE = string.rep('%d', 16) .. '\\t[^\\n]*\\n'
local call, sub = redis.call, string.sub

-- Adds a line, and leaves out damaged ones. Instants have one length, so the newer line is the greater one.
local function merge(list, new)
  -- The newest search is often repeated. A list of ten then costs hardly more than a list of one.
  if sub(list, 17, #new) == sub(new, 17) and list <= new then return sub(new, 1, 16) .. sub(list, 17) end
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

local function record(key, ttl, line)
  local list = redis.pcall('GET', key)
  if type(list) ~= 'string' then list = '' end
  -- A confirmed session remains confirmed.
  if ttl ~= ARGV[1] then ttl = math.max(ttl, call('TTL', key)) end
  call('SET', key, merge(list, line), 'EX', ttl)
end

for i, key in ipairs(KEYS) do
  local ttl, line = ARGV[2 * i + 2], ARGV[2 * i + 3]
  if line == '' then confirm(key) else record(key, ttl, line) end
end
return #KEYS`;

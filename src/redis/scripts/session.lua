-- The beginning of session-list.lua and session-record.lua, after typed.lua.
--
-- A session is a string with a line for each search, newest first: the response's instant (Redis
-- clock, 16 digits, microseconds), the place key, and city, country, and a number of the recording
-- as JSON, separated by tabs. No part contains a raw tab or line break.
--
-- A session with the TTL of an unconfirmed one, or less, is unconfirmed.
--
-- KEYS: as there.
-- ARGV: TTL in seconds of a confirmed session, and of an unconfirmed one; maximum bytes of a
--   session; then as there.
-- Reply: as there.

local MAX_BYTES = tonumber(ARGV[3])

-- The lines of a session. Another type, or a value of another client, counts as missing.
local function linesOf(key)
  local lines = typed('GETRANGE', key, '0', ARGV[3])
  if not lines or #lines > MAX_BYTES then return '' end
  return lines
end

-- The codes of the errors of a Redis that takes no writes: the list can still be read.
local REFUSES_WRITES = {READONLY = true, MISCONF = true, NOREPLICAS = true}

local function confirm(key)
  if ARGV[1] == ARGV[2] or redis.call('TTL', key) > tonumber(ARGV[2]) then return end
  local reply = redis.pcall('EXPIRE', key, ARGV[1])
  if type(reply) == 'table' and not REFUSES_WRITES[string.match(reply.err, '^%u+')] then error(reply) end
end

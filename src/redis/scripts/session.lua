-- The beginning of session-list.lua and session-record.lua, after typed.lua.
--
-- A session is one string with a line for each search, newest first. A line holds the instant of the response
-- (microseconds of the clock of Redis, 16 digits), the place key, and city, country, and a number of the recording as
-- JSON, separated by tabs. No part contains a raw tab or line break.
--
-- A session that has the TTL of an unconfirmed one, or less, counts as unconfirmed: 3.0.0 reads the same format.
--
-- KEYS: as there.
-- ARGV: TTL of a confirmed and of an unconfirmed session in seconds; maximum size of a session in bytes; then as there.
-- Reply: as there.

local MAX_BYTES = tonumber(ARGV[3])

-- The lines of a session. Another type, or a value that this service has not written, counts as missing.
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

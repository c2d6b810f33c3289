-- Reads a cache entry. After typed.lua.
-- KEYS: entry.
-- ARGV: the maximum size of an entry in bytes; the number of the call.
-- Reply: the number of the call; text and TTL of the entry; the clock of Redis in milliseconds.
local maxBytes = tonumber(ARGV[1])
local text = typed('GETRANGE', KEYS[1], '0', maxBytes)
if not text or #text > maxBytes then text = '' end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return {ARGV[#ARGV], text, redis.call('PTTL', KEYS[1]), now}

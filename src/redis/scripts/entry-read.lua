-- Reads a cache entry, and takes the lock of its key, if a fetch wants it. After typed.lua.
-- KEYS: entry, lock.
-- ARGV: the fetch that takes the lock if it is free, or renews it, '' only reads; the TTL of a lock in milliseconds; the
--   maximum size of an entry in bytes; the number of the call.
-- Reply: the number of the call; text and TTL of the entry; 1 if another fetch has the lock; the clock of Redis in
--   milliseconds.
local fetch, lockMs, maxBytes = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local ttl = redis.call('PTTL', KEYS[2])
-- A lock without a valid TTL was not written by this service, and counts as free.
local isLocked = ttl > 0 and ttl <= lockMs and redis.pcall('GET', KEYS[2]) ~= fetch
if fetch ~= '' and not isLocked then redis.call('SET', KEYS[2], fetch, 'PX', lockMs) end
local text = typed('GETRANGE', KEYS[1], '0', maxBytes)
if not text or #text > maxBytes then text = '' end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return {ARGV[#ARGV], text, redis.call('PTTL', KEYS[1]), isLocked and 1 or 0, now}

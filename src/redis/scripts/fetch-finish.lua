-- Ends a fetch: stores its entry, releases its lock, and publishes its message.
-- KEYS: entry, lock.
-- ARGV: channel; message; TTL of the entry in milliseconds, 0 stores none; text of the entry; the fetch; the number of the
--   call.
-- Reply: the number of the call.
if tonumber(ARGV[3]) > 0 then redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[3]) end
-- Only the fetch that has the lock releases it.
if redis.pcall('GET', KEYS[2]) == ARGV[5] then redis.call('DEL', KEYS[2]) end
redis.call('PUBLISH', ARGV[1], ARGV[2])
return {ARGV[#ARGV]}

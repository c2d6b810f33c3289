-- Ends a fetch: stores its entry, and publishes its message.
-- KEYS: entry.
-- ARGV: channel; message; TTL of the entry in milliseconds, 0 stores none; text of the entry; the number of the call.
-- Reply: the number of the call.
if tonumber(ARGV[3]) > 0 then redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[3]) end
redis.call('PUBLISH', ARGV[1], ARGV[2])
return {ARGV[#ARGV]}

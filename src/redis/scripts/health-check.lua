-- Writes, reads, and runs as a script, as requests do.
-- KEYS: the first is written, with a TTL.
-- ARGV: the TTL in milliseconds; a token that the reply repeats, to detect the reply of another.
-- Reply: the token; why Redis rejects the write, or an empty string.
local reply = redis.pcall('SET', KEYS[1], '', 'PX', ARGV[1])
for _, key in ipairs(KEYS) do redis.call('EXISTS', key) end
return {ARGV[#ARGV], reply.err or ''}

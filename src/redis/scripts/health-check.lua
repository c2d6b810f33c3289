-- Writes, reads, and runs as a script, as requests do.
-- KEYS: written, with a TTL.
-- ARGV: the TTL in milliseconds; a token that the reply repeats, so that a reply to another command is noticed.
-- Reply: the token; why Redis rejects the write, or an empty string.
local rejection = ''
for _, key in ipairs(KEYS) do
  local reply = redis.pcall('SET', key, '', 'PX', ARGV[1])
  if reply.err then rejection = reply.err end
  redis.call('EXISTS', key)
end
return {ARGV[#ARGV], rejection}

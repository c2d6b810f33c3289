-- Ends a fetch: stores its entry, and publishes its message. After typed.lua.
-- A process that was stopped may end its fetch late: an entry that was fetched later stays. An
-- entry's text says how long it was to exist, so its TTL gives its age. A negative age is damaged.
-- KEYS: entry.
-- ARGV: channel; message; TTL of the entry in milliseconds, 0 stores none; text of the entry;
--   milliseconds since its call was sent; maximum entry size in bytes; number of the call.
-- Reply: the number of the call.
local ttl, age = tonumber(ARGV[3]), tonumber(ARGV[5])
if ttl > 0 then
  local text = typed('GETRANGE', KEYS[1], '0', ARGV[6])
  local remaining = redis.call('PTTL', KEYS[1])
  local isEntry, storedAge = pcall(function()
    local stored = cjson.decode(text)
    return stored.freshMs + stored.staleMs - remaining
  end)
  local isNewer = isEntry and storedAge >= 0 and storedAge < age
  if not isNewer then redis.call('SET', KEYS[1], ARGV[4], 'PX', ttl) end
end
redis.call('PUBLISH', ARGV[1], ARGV[2])
return {ARGV[#ARGV]}

-- The beginning of scripts that read a value of a key. Returns nil for a value of another type,
-- which another client may have stored. Every other error is the error of the script.
local function typed(...)
  local reply = redis.pcall(...)
  if type(reply) ~= 'table' or not reply.err then return reply end
  if string.find(reply.err, '^WRONGTYPE ') then return nil end
  return error(reply)
end

-- The beginning of scripts that read a value of a key: another client may have stored one of another type. Returns nil for
-- such a key. Every other error is the error of the script.
local function typed(...)
  local reply = redis.pcall(...)
  if type(reply) ~= 'table' or not reply.err then return reply end
  if string.find(reply.err, '^WRONGTYPE ') then return nil end
  return error(reply)
end

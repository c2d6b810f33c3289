-- Removes a session.
-- KEYS: the session.
-- ARGV: the number of the call.
-- Reply: the number of the call.
redis.call('DEL', KEYS[1])
return {ARGV[#ARGV]}

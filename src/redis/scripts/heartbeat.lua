-- Reads the heartbeat of the workers.
-- KEYS: the heartbeat.
-- ARGV: the number of the call.
-- Reply: the number of the call; the TTL of the heartbeat; the clock of Redis. Both in milliseconds.
local time = redis.call('TIME')
return {ARGV[#ARGV], redis.call('PTTL', KEYS[1]), time[1] * 1000 + math.floor(time[2] / 1000)}

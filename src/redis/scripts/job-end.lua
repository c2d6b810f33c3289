-- Removes a job that this process took over, unless another process has it by now. After typed.lua.
-- KEYS: job, its lock, the list of running jobs.
-- ARGV: the ID of the job; the token of the lock; the number of the call.
-- Reply: the number of the call.
if typed('GET', KEYS[2]) == ARGV[2] then
  redis.call('LREM', KEYS[3], 1, ARGV[1])
  redis.call('DEL', KEYS[1], KEYS[2])
end
return {ARGV[#ARGV]}

-- Removes a job of BullMQ that no worker runs. Of several processes, one removes it: the number of removed keys decides.
-- KEYS: job, its lock, the lists of waiting jobs, of the jobs of a paused queue, and of running jobs.
-- ARGV: the ID of the job; the number of the call.
-- Reply: the number of the call; `running`, `missing`, or what the removed job was: `waiting`, or `stalled` if its worker
--   has died.
if redis.call('EXISTS', KEYS[2]) == 1 then return {ARGV[#ARGV], 'running'} end
local waiting = redis.call('LREM', KEYS[3], 1, ARGV[1]) + redis.call('LREM', KEYS[4], 1, ARGV[1])
redis.call('LREM', KEYS[5], 1, ARGV[1])
if redis.call('DEL', KEYS[1]) == 0 then return {ARGV[#ARGV], 'missing'} end
return {ARGV[#ARGV], waiting > 0 and 'waiting' or 'stalled'}

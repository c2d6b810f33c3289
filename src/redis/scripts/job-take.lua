-- Removes a job of BullMQ that no worker runs, and locks it for the process that fetches instead. Scripts run one by one, so
-- one process removes it. The lock is BullMQ's own: a worker that takes a later job of the key replaces it. A lock with a TTL
-- longer than any process sets, or without one, does not count: the clock of Redis may have stepped back by hours.
-- KEYS: job, its lock, the lists of waiting jobs, of the jobs of a paused queue, and of running jobs.
-- ARGV: the ID of the job; TTL of the lock in milliseconds; the number of the call.
-- Reply: the number of the call; `running` if a worker or another process has the job, or what it was: `waiting`, `stalled`
--   if its worker has died, or `missing`.
local waiting = redis.call('LREM', KEYS[3], 1, ARGV[1]) + redis.call('LREM', KEYS[4], 1, ARGV[1])
local lockedMs = redis.call('PTTL', KEYS[2])
if waiting == 0 and lockedMs >= 0 and lockedMs <= tonumber(ARGV[2]) then return {ARGV[#ARGV], 'running'} end
redis.call('LREM', KEYS[5], 1, ARGV[1])
local existed = redis.call('DEL', KEYS[1]) == 1
redis.call('SET', KEYS[2], 'taken', 'PX', ARGV[2])
return {ARGV[#ARGV], waiting > 0 and 'waiting' or existed and 'stalled' or 'missing'}

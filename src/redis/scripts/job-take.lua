-- Takes over a job of BullMQ that no worker runs: it becomes a running job with a lock, as if a
-- worker had taken it, so BullMQ adds no other job for its key. Scripts run one by one, so one
-- process takes it. A lock without a TTL, or with a longer one than any process sets, does not
-- count: the Redis clock may have stepped back by hours.
-- KEYS: job, its lock, the lists of waiting jobs, of a paused queue's jobs, and of running jobs.
-- ARGV: the ID of the job; the token of the lock; its TTL in milliseconds; the number of the call.
-- Reply: the number of the call; `running` if a worker or another process has the job; `missing` if
--   there is none; or what it was: `waiting`, or `stalled` if its worker has died.
local lockedMs = redis.call('PTTL', KEYS[2])
if lockedMs >= 0 and lockedMs <= tonumber(ARGV[3]) then return {ARGV[#ARGV], 'running'} end
if redis.call('EXISTS', KEYS[1]) == 0 then return {ARGV[#ARGV], 'missing'} end
local waiting = redis.call('LREM', KEYS[3], 1, ARGV[1]) + redis.call('LREM', KEYS[4], 1, ARGV[1])
redis.call('LREM', KEYS[5], 1, ARGV[1])
redis.call('LPUSH', KEYS[5], ARGV[1])
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return {ARGV[#ARGV], waiting > 0 and 'waiting' or 'stalled'}

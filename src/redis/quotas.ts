import { ifUnavailable } from '../errors.js';
import type { Quotas } from '../upstream/budgets.js';
import type { RedisStore } from './client/store.js';
import type { Names } from './names.js';

/**
 * Says for how many milliseconds a quota is used up. ARGV[1]: learns it for so many milliseconds; of
 * two refusals the longer one holds. The value is for how long it was told, and no key lives longer:
 * where one does, the clock went back, and the time begins anew. Any other value says nothing.
 */
const QUOTA_SCRIPT = `
local told = tonumber(redis.pcall('GET', KEYS[1])) or 0
local lives = told > 0 and redis.call('PTTL', KEYS[1]) or 0
local lasts = lives < 0 and 0 or math.min(lives, told)
local asked = math.max(lasts, tonumber(ARGV[1]))
if asked > lasts or lives > told then redis.call('SET', KEYS[1], asked, 'PX', asked) end
return asked`;

/** Quotas that all processes learn of. */
export function createRedisQuotas(store: RedisStore, names: Names): Quotas {
  const quota = store.script('weatherQuota', QUOTA_SCRIPT);
  return {
    tell(upstream, lastsMs, time) {
      const reply = quota([names.quota(upstream)], [Math.ceil(lastsMs)], time);
      return ifUnavailable(reply as Promise<number>, 0);
    },
  };
}

import type { RedisStore } from '../client/store.js';

const DEMAND = `
local requests = redis.pcall('INCR', KEYS[1])
if type(requests) ~= 'number' then
  redis.call('SET', KEYS[1], 1)
  requests = 1
end
if requests == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return requests`;

/**
 * Counts the requests of all processes for an entry that expires soon.
 * @param remainingMs how long the entry is still fresh; then the count starts anew
 * @throws StoreUnavailableError
 */
export type Demand = (key: string, remainingMs: number) => Promise<number>;

export function createDemand(store: RedisStore): Demand {
  const count = store.script('weatherDemand', DEMAND);
  return async (key, remainingMs) =>
    Number(await count([`weather:demand:{${key}}`], [Math.max(1, Math.ceil(remainingMs))]));
}

import { ifUnavailable } from '../errors.js';
import { windowMsOf, type Budget, type Budgets, type CallBudgets } from '../upstream/budgets.js';
import type { RedisStore } from './client/store.js';
import type { Names } from './names.js';
import { createSharedWindows, type CountedTogether, type SharedWindows } from './windows.js';

const USED_UP = 'used up';

/**
 * Says for how many milliseconds a quota is used up. ARGV[1]: learns it for so many milliseconds; of
 * two refusals the longer one holds. Any other value than ours is replaced, or says nothing.
 */
const QUOTA_SCRIPT = `
local lasts = redis.pcall('GET', KEYS[1]) == '${USED_UP}' and redis.call('PTTL', KEYS[1]) or 0
-- It may have no life.
lasts = math.max(0, lasts)
if tonumber(ARGV[1]) > lasts then
  redis.call('SET', KEYS[1], '${USED_UP}', 'PX', ARGV[1])
  lasts = tonumber(ARGV[1])
end
return lasts`;

/**
 * Budgets, and the quotas that providers told as used up, shared by all processes.
 * @param options.share this process's own budgets, for as long as Redis is unavailable
 */
export function createRedisBudgets(options: {
  store: RedisStore;
  names: Names;
  budgets: Budgets;
  share: CallBudgets;
}): CallBudgets {
  const { store, names, budgets, share } = options;
  const quota = store.script('weatherQuota', QUOTA_SCRIPT);
  const opened = new Map([...budgets].map(([upstream, budget]) => [upstream, open(budget)]));

  function open({ name, windows }: Budget): SharedWindows {
    const settings = windows.map((window) => ({
      limit: window.limit,
      windowMs: windowMsOf(window),
    }));
    return createSharedWindows(store, settings, () =>
      windows.map(({ windowSeconds }) => names.window(name, `calls:${windowSeconds}`)),
    );
  }

  const waitOf = ({ refusedBy, states }: CountedTogether): number =>
    refusedBy === undefined
      ? 0
      : Math.max(
          ...states.filter(({ remaining }) => remaining === 0).map(({ resetMs }) => resetMs),
        );

  async function askQuota(upstream: string, lastsMs: number): Promise<number> {
    const reply = quota([names.quota(upstream)], [Math.ceil(lastsMs)]) as Promise<number>;
    return ifUnavailable(reply, 0);
  }

  return {
    async take(upstream) {
      // Sent together: one trip. A call that is refused for its quota is counted all the same.
      const [quotaMs, waitMs] = await Promise.all([
        askQuota(upstream, 0),
        ifUnavailable(
          opened.get(upstream)?.count('').then(waitOf) ?? Promise.resolve(0),
          undefined,
        ),
      ]);
      return waitMs === undefined ? share.take(upstream) : { waitMs, quotaMs };
    },
    async quotaUsedUp(upstream, lastsMs) {
      await askQuota(upstream, lastsMs);
    },
    async state(upstream) {
      const seen = await ifUnavailable(
        opened.get(upstream)?.look('') ?? Promise.resolve(undefined),
        undefined,
      );
      if (!seen) return share.state(upstream);
      return (budgets.get(upstream)?.windows ?? []).map((window, i) => ({
        ...window,
        remaining: seen.states[i]?.remaining ?? 0,
      }));
    },
  };
}

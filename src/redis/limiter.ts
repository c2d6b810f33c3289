import type { Config } from '../config/config.js';
import { countInTurn, countTogether, type Limiter } from '../limits/limiters.js';
import { createRefusals, createTotalRefusal } from '../limits/refusals.js';
import type { LimitKind, LocalStores } from '../stores.js';
import type { Clock } from '../weather/types.js';
import type { RedisStore } from './client/store.js';
import { createRedisSlidingWindow, createRedisWindowPair } from './sliding-window.js';

/** Clients whose refusal a process remembers until its reset. */
const MAX_REFUSED_CLIENTS = 20_000;

/** Limiters over windows that all processes share. */
export function createRedisLimiters(options: {
  store: RedisStore;
  local: LocalStores;
  config: Config;
  clock: Clock;
}): (kind: LimitKind) => Limiter {
  const { store, local, config, clock } = options;
  const { perIp, total } = config.rateLimits;
  const totalRefusal = createTotalRefusal();
  const all = { name: 'total', ...total };

  return (kind) => {
    const own = { name: kind, ...perIp };
    const [localOwn, localTotal] = [local.window(kind), local.window('total')];
    const refusals = createRefusals({
      clock,
      maxClients: MAX_REFUSED_CLIENTS,
      total: totalRefusal,
    });
    // The nodes of a cluster have no script in common.
    if (localOwn && localTotal && config.redis?.kind !== 'cluster') {
      const pair = createRedisWindowPair(store, own, all);
      return countTogether({ pair, own: localOwn, total: localTotal, refusals, clock });
    }
    return countInTurn({
      own: localOwn && { shared: createRedisSlidingWindow(store, own), local: localOwn },
      total: localTotal && { shared: createRedisSlidingWindow(store, all), local: localTotal },
      refusals,
      clock,
    });
  };
}

import type { Config, RedisAddress } from '../config/config.js';
import { withFallback } from '../limits/fallback.js';
import { withRememberedRejections } from '../limits/remembered-rejections.js';
import type { Instruments } from '../base/instruments.js';
import { survive, type Lifecycle } from '../process/lifecycle.js';
import type { Logger } from '../process/log.js';
import type { Stores } from '../stores.js';
import type { Clock } from '../weather/types.js';
import { connect, cutOnLibraryError, databaseOf } from './client/connection.js';
import { createRedis } from './client/redis.js';
import { createFetching } from './fetching/index.js';
import { createNames } from './names.js';
import { createRedisWindows } from './redis-windows.js';
import { warnOfServers } from './server-info.js';
import { createRedisSessions } from './redis-sessions.js';

/**
 * Creates the stores in Redis, which all processes share.
 * @param options.local takes over limits, budgets, and cache while Redis is unavailable
 */
export function redisStores(options: {
  address: RedisAddress;
  local: Stores;
  config: Config;
  log: Logger;
  clock: Clock;
  instruments: Instruments;
  lifecycle: Lifecycle;
}): Stores {
  const { address, local, config, log, clock, instruments, lifecycle } = options;
  const names = createNames(config.redisPrefix, databaseOf(address.url));
  const store = createRedis({
    client: connect(address, 'requests'),
    names,
    clock,
    log,
    instruments,
  });
  survive(cutOnLibraryError);
  lifecycle.closes(() => {
    store.close();
  });
  const sessions = createRedisSessions({ store, names, ttls: config.session, clock });
  // Searches that were answered shortly before the end of the process are retried, too.
  lifecycle.flushes((limitMs) => sessions.drain(limitMs));
  store.client.once('ready', () => void warnOfServers(store.masters, log));
  const windows = createRedisWindows(store, names);
  const fetching = createFetching({ ...options, store, names });

  return {
    windows: {
      limits: withFallback(
        withRememberedRejections(windows, {
          clock,
          isAvailable: store.isWritable,
        }),
        local.windows.limits,
      ),
      // Suggestions use only the memory of this process, so each process counts them alone.
      suggestions: local.windows.suggestions,
      budgets: withFallback(windows, local.windows.budgets),
    },
    sessions,
    near: local.near,
    fetchQueue: (fetcher, kinds) => fetching.queue(fetcher, kinds),
    startWorker: (fetcher, kinds) => fetching.startWorker(fetcher, kinds),
    backlog: () => fetching.backlog(),
    state: () => ({ check: store.isUp ? 'ok' : 'down', wasReached: store.wasReached }),
  };
}

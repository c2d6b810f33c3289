import type { Config, RedisAddress } from '../config/config.js';
import { withFallback } from './windows-fallback.js';
import type { Instruments } from '../base/instruments.js';
import { survive, type Lifecycle } from '../process/lifecycle.js';
import type { Logger } from '../process/log.js';
import type { Store } from '../store.js';
import type { Clock } from '../weather/types.js';
import { connect, cutOnLibraryError, databaseOf } from './client/connection.js';
import { createGuardedRedis } from './client/guarded-redis.js';
import { createFetching } from './fetching/index.js';
import { createNames } from './names.js';
import { createRedisWindows } from './redis-windows.js';
import { warnOfServers } from './server-info.js';
import { createRedisSessions } from './redis-sessions.js';

/**
 * Creates the store in Redis, which all processes share.
 * @param options.local takes over limits, budgets, and cache while Redis is unavailable
 */
export function redisStore(options: {
  address: RedisAddress;
  local: Store;
  config: Config;
  log: Logger;
  clock: Clock;
  instruments: Instruments;
  lifecycle: Lifecycle;
}): Store {
  const { address, local, config, log, clock, instruments, lifecycle } = options;
  const names = createNames(config.REDIS_PREFIX, databaseOf(address.url));
  const redis = createGuardedRedis({
    client: connect(address, 'requests'),
    names,
    clock,
    log,
    instruments,
  });
  survive(cutOnLibraryError);
  lifecycle.onClose(() => {
    redis.close();
  });
  const sessions = createRedisSessions({ redis, names, ttls: config.sessionTtls, clock });
  // Recordings that are retried when the process ends have the remaining time.
  lifecycle.onFlush((limitMs) => sessions.drain(limitMs));
  redis.client.once('ready', () => void warnOfServers(redis, log));
  const windows = createRedisWindows(redis, names);

  return {
    windows: {
      limits: withFallback(windows, {
        ...{ local: local.windows.limits, clock, mayRepeat: redis.isWritable },
      }),
      // Suggestions use only the memory of this process, so each process counts them alone.
      suggestions: local.windows.suggestions,
      // A rejected call waits until its last full window has space. A repeated rejection would know only one window.
      budgets: withFallback(windows, {
        ...{ local: local.windows.budgets, clock, mayRepeat: () => false },
      }),
    },
    sessions,
    near: local.near,
    ...createFetching({ ...options, redis, names }),
    state: redis.state,
  };
}

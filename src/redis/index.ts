import type { RedisAddress } from '../config/config.js';
import { withFallback } from './windows-fallback.js';
import type { Instruments } from '../base/instruments.js';
import { onUncaughtException } from '../process/lifecycle.js';
import type { Logger } from '../process/log.js';
import type { ProcessContext } from '../process/context.js';
import type { Store } from '../store.js';
import { connect, destroyOnLibraryError, databaseOf } from './client/connection.js';
import { createGuardedRedis, type GuardedRedis } from './client/guarded-redis.js';
import { isForbidden } from './client/redis-errors.js';
import { createSharedFetching } from './fetching/index.js';
import { createNames } from './names.js';
import { createRedisWindows } from './redis-windows.js';
import { createRedisSessions } from './redis-sessions.js';

/**
 * Creates the store in Redis, which all processes share.
 * @param options.local takes over limits, budgets, and cache while Redis is unavailable
 */
export function redisStore(
  options: ProcessContext & { address: RedisAddress; local: Store; instruments: Instruments },
): Store {
  const { address, local, config, log, clock, lifecycle } = options;
  const names = createNames(config.REDIS_PREFIX, databaseOf(address.url));
  const redis = createGuardedRedis({ ...options, client: connect(address, 'requests'), names });
  onUncaughtException(destroyOnLibraryError);
  lifecycle.onClose(redis.close);
  const sessions = createRedisSessions({ redis, names, ttls: config.sessionTtls, clock });
  // Recordings that are retried when the process ends have the remaining time.
  lifecycle.onFlush((limitMs) => sessions.drain(limitMs));
  redis.client.once('ready', () => void warnOfServers(redis, log));
  const windows = createRedisWindows(redis, names);

  return {
    windows: {
      limits: withFallback(windows, local.windows.limits, clock, redis.isWritable),
      // Suggestions use only the memory of this process, so each process counts them alone.
      suggestions: local.windows.suggestions,
      // Never repeats a rejection: a call must wait for the last of its full windows, and a
      // repeated rejection names only one of them.
      budgets: withFallback(windows, local.windows.budgets, clock, () => false),
    },
    sessions,
    near: local.near,
    ...createSharedFetching({ ...options, redis, names }),
    state: redis.state,
  };
}

/**
 * Logs a warning if a server evicts keys when its memory is full, or if it is older than Redis 7.0,
 * the oldest version that the tests run with. Logs nothing if Redis forbids `INFO`.
 */
export async function warnOfServers(
  { masters, report }: Pick<GuardedRedis, 'masters' | 'report'>,
  log: Logger,
): Promise<void> {
  const missing = (error: unknown) => {
    if (!isForbidden(error)) report(error);
    return '';
  };
  const infos = masters.list().flatMap(({ redis }) => redis?.info().catch(missing) ?? []);
  const info = (await Promise.all(infos)).join('\n');
  const [, policy] = /^maxmemory_policy:(?!noeviction\b)(\S+)/m.exec(info) ?? [];
  const [, version] = /^redis_version:([0-6]\.\S+)/m.exec(info) ?? [];
  if (policy) {
    const hint = 'a full Redis deletes limits and sessions: set maxmemory-policy to noeviction';
    log.warn({ event: 'redis_eviction_policy', policy, hint });
  }
  if (version)
    log.warn({ event: 'redis_version_unsupported', version, hint: 'needs Redis 7.0 or Valkey 8' });
}

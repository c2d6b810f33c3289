import type { Logger } from '../process/log.js';
import type { GuardedRedis } from './client/guarded-redis.js';
import { isForbidden } from './client/redis-errors.js';

/**
 * Logs a warning if a server evicts keys when its memory is full, or if it is older than Redis 7.0, the
 * oldest version that the tests run with. Logs nothing if Redis forbids `INFO`.
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
  const all = (await Promise.all(infos)).join('\n');
  const [, policy] = /^maxmemory_policy:(?!noeviction\b)(\S+)/m.exec(all) ?? [];
  const [, version] = /^redis_version:([0-6]\.\S+)/m.exec(all) ?? [];
  if (policy) {
    const hint = 'limits and sessions are lost when it is full: set maxmemory-policy noeviction';
    log.warn({ event: 'redis_evicts', policy, hint });
  }
  if (version) log.warn({ event: 'redis_too_old', version, hint: 'needs Redis 7.0 or Valkey 8' });
}

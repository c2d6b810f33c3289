import { randomUUID } from 'node:crypto';
import type { Cached } from '../../weather/cache.js';
import type { Scope } from '../../weather/scope.js';
import type { Clock } from '../../weather/types.js';
import type { Announcement } from './announcements.js';
import { cacheKey, fromReply } from '../cache.js';
import type { RedisStore } from '../client/store.js';

/** Without a sign of life for so long, a fetch is given up and somebody else may do it. */
const LEASE_MS = 5000;
const LEASE_RENEWAL_MS = 1500;
/** How long a failure is kept for those who missed its announcement. */
const FAILURE_MS = 5000;
const WAITERS_MS = 60_000;

/** KEYS: entry, lease, failure, waiters. ARGV: 1 to count as a waiter, else 0. */
const LOOK = `
if ARGV[1] == '1' then
  redis.call('INCR', KEYS[4])
  redis.call('PEXPIRE', KEYS[4], ${WAITERS_MS})
end
return {
  redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1]),
  redis.call('EXISTS', KEYS[2]), redis.call('GET', KEYS[3])
}`;
const RENEW = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ${LEASE_MS})`;
const RELEASE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`;
/** Of the holder alone: who was wedged and wakes up late must not fail what others do by now. */
const FAIL = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ${FAILURE_MS})
return 1`;
const DEMAND = `
local requests = redis.call('INCR', KEYS[1])
if requests == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return requests`;

export interface FetchSnapshot {
  entry: Cached | undefined;
  /** Somebody is fetching right now. */
  leased: boolean;
  failure: NonNullable<Announcement['failure']> | undefined;
}

export interface Lease {
  /** Keeps a failure for those who wait. False when the lease ran out: then it concerns nobody. */
  fail(failure: NonNullable<Announcement['failure']>): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * What all processes know of the fetch of one key: its entry, who is at it, its last failure, how
 * many wait. Every method throws StoreUnavailableError.
 */
export interface FetchState {
  look(key: string, scope: Scope, asWaiter: boolean): Promise<FetchSnapshot>;
  /** The right to fetch a key, kept alive until it is released; undefined when somebody has it. */
  lease(key: string): Promise<Lease | undefined>;
  /** How many processes registered as waiting since the last fetch; the count starts anew. */
  takeWaiters(key: string): Promise<number>;
  /** Counts a request for an entry that ends in `remainingMs`. */
  countDemand(key: string, remainingMs: number): Promise<number>;
}

export function createFetchState(store: RedisStore, clock: Clock): FetchState {
  const lookScript = store.script('weatherFetchLook', LOOK);
  const renew = store.script('weatherLeaseRenew', RENEW);
  const release = store.script('weatherLeaseRelease', RELEASE);
  const fail = store.script('weatherLeaseFail', FAIL);
  const demand = store.script('weatherDemand', DEMAND);
  const name = (kind: string, key: string) => `weather:${kind}:{${key}}`;

  return {
    async look(key, scope, asWaiter) {
      const reply = (await lookScript(
        [cacheKey(key), name('lease', key), name('failure', key), name('waiters', key)],
        [asWaiter ? 1 : 0],
        scope,
      )) as [string | null, number, number, string | null];
      return {
        entry: fromReply([reply[0], reply[1]], clock.monotonic()),
        leased: reply[2] === 1,
        failure: reply[3] === null ? undefined : (JSON.parse(reply[3]) as FetchSnapshot['failure']),
      };
    },

    async lease(key) {
      const lease = name('lease', key);
      const token = randomUUID();
      const taken = await store.run(lease, (redis) =>
        redis.set(lease, token, 'PX', LEASE_MS, 'NX'),
      );
      if (taken === null) return undefined;
      const heartbeat = setInterval(() => {
        renew([lease], [token]).catch(() => undefined);
      }, LEASE_RENEWAL_MS);
      return {
        async fail(failure) {
          const keys = [lease, name('failure', key)];
          return (await fail(keys, [token, JSON.stringify(failure)])) === 1;
        },
        async release() {
          clearInterval(heartbeat);
          await release([lease], [token]);
        },
      };
    },

    async takeWaiters(key) {
      const waiters = name('waiters', key);
      return Number((await store.run(waiters, (redis) => redis.getdel(waiters))) ?? 0);
    },

    async countDemand(key, remainingMs) {
      return Number(await demand([name('demand', key)], [Math.max(1, Math.ceil(remainingMs))]));
    },
  };
}

import type { Cache, Cached } from '../weather/cache.js';
import type { Fetched } from '../weather/request.js';
import type { Clock } from '../weather/types.js';
import type { RedisStore } from './client/store.js';

/** Value and remaining life in one answer: read one after the other they could be of two entries. */
const READ = `return { redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1]) }`;

/** What is written. The remaining life is the key's own, so that only Redis's clock counts. */
interface Stored {
  value: Fetched;
  freshMs: number;
  staleMs: number;
  cause?: string | undefined;
}

/** The name of a request's entry; the braces put all keys of one request on one cluster node. */
export const cacheKey = (key: string): string => `weather:cache:{${key}}`;

/** The cache that all replicas share. */
export function createRedisCache(store: RedisStore, clock: Clock): Cache {
  const read = store.script('weatherCacheRead', READ);

  return {
    async get(key, scope) {
      const reply = await read([cacheKey(key)], [], scope);
      return fromReply(reply as [string | null, number], clock.monotonic());
    },
    async set(key, entry, scope) {
      const life = Math.floor(entry.staleUntil - clock.monotonic());
      if (life <= 0) return;
      const name = cacheKey(key);
      await store.run(name, (redis) => redis.set(name, serialise(entry), 'PX', life), scope);
    },
  };
}

function serialise(entry: Cached): string {
  const stored: Stored = {
    value: entry.value,
    freshMs: entry.freshUntil - entry.fetchedAt,
    staleMs: entry.staleUntil - entry.freshUntil,
    cause: entry.cause,
  };
  return JSON.stringify(stored);
}

/** An entry from what Redis says: its text and how long it still lives, in milliseconds. */
export function fromReply([text, life]: [string | null, number], now: number): Cached | undefined {
  if (text === null || life <= 0) return undefined;
  const { value, freshMs, staleMs, cause } = JSON.parse(text) as Stored;
  const staleUntil = now + life;
  const freshUntil = staleUntil - staleMs;
  return { value, fetchedAt: freshUntil - freshMs, freshUntil, staleUntil, cause };
}

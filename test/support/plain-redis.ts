import type { Redis } from 'ioredis';
import { StoreUnavailableError } from '../../src/base/errors.js';
import { mastersOf } from '../../src/redis/client/masters.js';
import type { GuardedRedis } from '../../src/redis/client/guarded-redis.js';

/** A `GuardedRedis` with one connection and no circuit breaker, for tests of single adapters. */
export function plainRedis(client: Redis): GuardedRedis {
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw new StoreUnavailableError('Redis refused or did not answer', { cause: error });
    }
  };
  return {
    client,
    report: () => undefined,
    lost: () => undefined,
    isWritable: () => true,
    masters: mastersOf(client, (tag) => `{${tag}}`),
    command: (work) => guarded(work),
    script: (_name, lua, isReply) => (keys, args) =>
      guarded(async () => {
        const given = typeof args === 'function' ? args() : args;
        const reply = await client.eval(lua, keys.length, ...keys, ...given, 'call');
        const [repeated, ...elements] = reply as unknown[];
        if (repeated === 'call' && isReply(elements)) return elements;
        throw new Error(`the script returned ${JSON.stringify(reply)}`);
      }),
    state: () => ({ check: 'ok', wasReached: true }),
    close() {
      client.disconnect();
    },
  };
}

import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { StoreUnavailableError } from '../../src/errors.js';
import type { RedisStore } from '../../src/redis/client/store.js';

/** The port over one plain connection, without breaker and budget: for tests of single adapters. */
export function plainRedisStore(client: Redis): RedisStore {
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw new StoreUnavailableError('Redis refused or did not answer', { cause: error });
    }
  };
  return {
    client,
    report: () => false,
    run: (_key, command) => guarded(() => command(client)),
    script(name, lua) {
      const command = `${name}_${createHash('sha256').update(lua).digest('hex').slice(0, 8)}`;
      client.defineCommand(command, { lua });
      const call = Reflect.get(client, command) as (
        ...values: (string | number)[]
      ) => Promise<unknown>;
      return (keys, args) => guarded(() => call.call(client, keys.length, ...keys, ...args));
    },
    now: () => Date.now(),
    check: () => Promise.resolve(true),
    wasReached: true,
    close() {
      client.disconnect();
    },
  };
}

import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { StoreUnavailableError } from '../../src/errors.js';
import type { RedisStore } from '../../src/redis/client/port.js';
import { topologyOf } from '../../src/redis/client/topology.js';

/** A `RedisStore` with one connection and no circuit breaker, for tests of single adapters. */
export function plainRedisStore(client: Redis): RedisStore {
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw new StoreUnavailableError('Redis refused or did not answer', { cause: error });
    }
  };
  const command = (name: string, lua: string) => {
    const unique = `${name}_${createHash('sha256').update(lua).digest('hex').slice(0, 8)}`;
    client.defineCommand(unique, { lua });
    const call = Reflect.get(client, unique) as (
      ...values: (string | number)[]
    ) => Promise<unknown>;
    return (keys: string[], args: (string | number)[]) =>
      call.call(client, keys.length, ...keys, ...args);
  };
  return {
    client,
    report: () => undefined,
    isWritable: () => true,
    topology: topologyOf(client, (tag) => `{${tag}}`),
    run: (_key, work) => guarded(() => work(client)),
    script(name, lua) {
      const call = command(name, lua);
      return (keys, args) => guarded(() => call(keys, args));
    },
    now: () => Date.now(),
    isUp: true,
    wasReached: true,
    close() {
      client.disconnect();
    },
  };
}

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
  return {
    client,
    report: () => undefined,
    isWritable: () => true,
    topology: topologyOf(client, (tag) => `{${tag}}`),
    run: (_key, work) => guarded(() => work(client)),
    script: (_name, lua, isReply) => (keys, args) =>
      guarded(async () => {
        const reply = await client.eval(lua, keys.length, ...keys, ...args, 'call');
        const [repeated, ...elements] = reply as unknown[];
        if (repeated === 'call' && isReply(elements)) return elements;
        throw new Error(`the script returned ${JSON.stringify(reply)}`);
      }),
    isUp: true,
    wasReached: true,
    close() {
      client.disconnect();
    },
  };
}

import { Cluster, type Redis } from 'ioredis';
import type { RedisClient } from './store.js';

const KEY_LIFE_MS = 10_000;
/** A new connection costs Redis something: one in so many milliseconds, however often it is asked. */
const ELSEWHERE_INTERVAL_MS = 5000;
const ELSEWHERE_LIMIT_MS = 1000;

/**
 * Tells whether a node that refused writes takes them again. After a failover the connection may
 * lead to a master that became a replica, while the same address leads to the new master. It is
 * given up only when a new one is found to be better: until then it answers reads.
 */
export function createWriteProbe(
  client: RedisClient,
): (node: Redis, key: string) => Promise<boolean> {
  let lookedElsewhere = -Infinity;

  async function reconnectIfBetter(key: string): Promise<void> {
    // A cluster's client follows its masters by itself.
    if (client instanceof Cluster) return;
    if (performance.now() - lookedElsewhere < ELSEWHERE_INTERVAL_MS) return;
    lookedElsewhere = performance.now();
    const fresh = client.duplicate({
      lazyConnect: true,
      retryStrategy: () => null,
      commandTimeout: ELSEWHERE_LIMIT_MS,
      connectTimeout: ELSEWHERE_LIMIT_MS,
    });
    fresh.on('error', () => undefined);
    try {
      await fresh.connect();
      await write(fresh, key);
      client.disconnect(true);
    } catch {
      // No better there: the connection stays as it is.
    } finally {
      fresh.disconnect();
    }
  }

  return async (node, key) => {
    try {
      await write(node, key);
      return true;
    } catch {
      void reconnectIfBetter(key);
      return false;
    }
  };
}

/** Written now and then while Redis refuses writes, to see when it takes them again. */
async function write(node: Redis, key: string): Promise<void> {
  await node.set(key, '1', 'PX', KEY_LIFE_MS);
}

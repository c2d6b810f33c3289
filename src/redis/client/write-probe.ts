import { Cluster } from 'ioredis';
import type { RedisClient } from './store.js';

/** Written now and then while Redis refuses writes, to see when it takes them again. */
const KEY = 'weather:write-probe';
const KEY_LIFE_MS = 10_000;
/** A new connection costs Redis something: one in so many milliseconds, however often it is asked. */
const ELSEWHERE_INTERVAL_MS = 5000;
const ELSEWHERE_LIMIT_MS = 1000;

/**
 * Tells whether a Redis that refused writes takes them again. After a failover the connection may
 * lead to a master that became a replica, while the same address leads to the new master. It is
 * given up only when a new one is found to be better: until then it answers reads.
 */
export function createWriteProbe(client: RedisClient): () => Promise<boolean> {
  let lookedElsewhere = -Infinity;

  async function reconnectIfBetter(): Promise<void> {
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
      await write(fresh);
      client.disconnect(true);
    } catch {
      // No better there: the connection stays as it is.
    } finally {
      fresh.disconnect();
    }
  }

  return async () => {
    try {
      await write(client);
      return true;
    } catch {
      void reconnectIfBetter();
      return false;
    }
  };
}

async function write(client: RedisClient): Promise<void> {
  await client.set(KEY, '1', 'PX', KEY_LIFE_MS);
}

import { Redis } from 'ioredis';
import { cut, type RedisClient } from './connection.js';
import { HEALTH_KEY_MS, READ_ONLY_CHECK_MS } from './timing.js';

/**
 * Leaves a read-only server when its address leads to a server that takes writes, as after a failover. A second
 * connection finds that out, because requests read over the first one. In a cluster, redirections do this.
 * @param key the key that a health check writes
 * @param report called with what the second connection throws
 * @returns takes the result of each health check
 */
export function createFailover(
  client: RedisClient,
  key: string,
  report: (error: unknown) => void,
): (isReadOnly: boolean) => void {
  let nextCheckAt = -Infinity;
  let hasWritten = false;

  return (isReadOnly) => {
    // The same server may take writes again by now. Then this health check is not read-only.
    if (isReadOnly && hasWritten) cut(client);
    hasWritten = false;
    if (!isReadOnly || !(client instanceof Redis) || performance.now() < nextCheckAt) return;
    nextCheckAt = performance.now() + READ_ONLY_CHECK_MS;
    write(client, key).then(() => {
      hasWritten = true;
    }, report);
  };
}

/** Writes a key over a new connection to the address of a client. @throws Error if the server does not take the write */
async function write(client: Redis, key: string): Promise<void> {
  const second = client.duplicate({
    enableOfflineQueue: true,
    failoverDetector: false,
    retryStrategy: () => null,
  });
  // The command fails with the connection.
  second.on('error', () => undefined);
  try {
    await second.set(key, '', 'PX', HEALTH_KEY_MS);
  } finally {
    second.disconnect();
  }
}

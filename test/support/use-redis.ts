import { before } from 'node:test';
import { Redis } from 'ioredis';
import { suiteLifetime, type Lifetime } from './lifetime.js';
import { startRedis } from './redis-server.js';

/** A redis-server and a connection to it for all tests of a suite. */
export function useRedis(): { readonly client: Redis; readonly url: string } {
  const lifetime = suiteLifetime();
  const redis = {} as { client: Redis; url: string };
  before(async () => {
    const server = await startRedis();
    lifetime.after(() => server.stop());
    redis.url = server.url;
    redis.client = connectTo(lifetime, server);
  });
  return redis;
}

/** A connection that is closed after the test. */
export function connectTo(t: Lifetime, { url }: { url: string }): Redis {
  const client = new Redis(url);
  t.after(() => {
    client.disconnect();
  });
  return client;
}

/** Shortens the TTL of every key by this many milliseconds: the clock of Redis cannot be set. */
export async function passForKeys(client: Redis, ms: number): Promise<void> {
  for (const key of await client.keys('*')) {
    const left = await client.pttl(key);
    if (left >= 0) await client.pexpire(key, Math.max(0, left - ms));
  }
}

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

/** The clock of Redis cannot be set, so its windows are moved into the past instead. */
const PASS = `
for _, key in ipairs(redis.call('KEYS', '*:window*')) do
  for i, value in ipairs(redis.call('LRANGE', key, 0, -1)) do
    local instant = tonumber(value)
    if instant then
      redis.call('LSET', key, i - 1, string.format('%.0f', instant - tonumber(ARGV[1]) * 1000))
    end
  end
  local life = redis.call('PTTL', key)
  if life > 0 then redis.call('PEXPIRE', key, life - tonumber(ARGV[1])) end
end`;

/** Advances the clock of Redis for all windows, in milliseconds. Negative: the clock steps back. */
export async function passInRedis(client: Redis, ms: number): Promise<void> {
  await client.eval(PASS, 0, ms);
}

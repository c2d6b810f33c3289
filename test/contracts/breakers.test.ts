import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { createMemoryBreakers } from '../../src/memory/breakers.js';
import { createRedisBreakers } from '../../src/redis/breakers.js';
import { manualClock } from '../helpers/manual-clock.js';
import { plainRedisStore } from '../helpers/plain-redis-store.js';
import { startRedis, type RedisServer } from '../helpers/redis-server.js';
import { breakersContract } from './breakers.js';

const keyOf = (name: string) => `weather:breaker:{${name}}`;

breakersContract('memory', () => {
  const clock = manualClock();
  const ours = createMemoryBreakers(clock);
  return {
    ours,
    theirs: ours,
    advance(_name, ms) {
      clock.advance(ms);
      return Promise.resolve();
    },
  };
});

describe('with a Redis', () => {
  let server: RedisServer;
  let clients: Redis[];
  const fallback = createMemoryBreakers(manualClock());

  before(async () => {
    server = await startRedis();
    clients = [new Redis(server.url), new Redis(server.url)];
  });
  after(async () => {
    for (const client of clients) client.disconnect();
    await server.stop();
  });

  breakersContract('Redis', () => ({
    ours: createRedisBreakers(plainRedisStore(clients[0]!), fallback),
    theirs: createRedisBreakers(plainRedisStore(clients[1]!), fallback),
    async advance(name, ms) {
      // Redis's clock cannot be set: what it remembers is moved into the past instead.
      for (const field of ['openUntil', 'probeUntil']) {
        if (await clients[0]!.hexists(keyOf(name), field)) {
          await clients[0]!.hincrby(keyOf(name), field, -ms);
        }
      }
    },
  }));

  it('leaves nothing behind for ever', async () => {
    const breakers = createRedisBreakers(plainRedisStore(clients[0]!), fallback);
    for (const report of [{}, { retryAfterMs: 3_600_000 }, { retryAfterMs: 7_200_000 }]) {
      await breakers.failed('expiring', report);
      const remaining = await clients[0]!.pttl(keyOf('expiring'));
      assert.ok(remaining > 86_000_000 + (report.retryAfterMs ?? 0), `${remaining} ms`);
    }
  });

  it('decides in this process while Redis is away, and together again after it', async () => {
    const away = await startRedis();
    const client = new Redis(away.url, { enableOfflineQueue: false, maxRetriesPerRequest: 0 });
    client.on('error', () => undefined);
    await client.ping().catch(() => undefined);
    const breakers = createRedisBreakers(plainRedisStore(client), fallback);
    await away.kill('SIGKILL');
    await breakers.failed('away', {});
    await breakers.failed('away', {});
    assert.equal((await breakers.acquire('away')).allowed, true);
    assert.equal(await breakers.failed('away', {}), 'opened');
    assert.equal((await breakers.acquire('away')).allowed, false);
    assert.equal((await fallback.acquire('away')).allowed, false);
    client.disconnect();
    await away.stop();
  });
});

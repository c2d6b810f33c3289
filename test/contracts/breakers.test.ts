import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { isOpen, memoryBreakers, redisBreakers } from '../support/breakers.js';
import { manualClock, systemClock } from '../support/manual-clock.js';
import { freePort, startRedis, type RedisServer } from '../support/redis-server.js';
import { breakersContract } from './breakers.contract.js';
import { eventually } from '../support/eventually.js';

const keyOf = (name: string) => `weather:breaker:{${name}}`;

breakersContract('memory', () => {
  const clock = manualClock();
  const ours = memoryBreakers(clock);
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

  before(async () => {
    server = await startRedis();
    clients = [new Redis(server.url), new Redis(server.url)];
  });
  after(async () => {
    for (const client of clients) client.disconnect();
    await server.stop();
  });

  breakersContract('Redis', () => ({
    ours: redisBreakers(clients[0]!, { clock: systemClock }),
    theirs: redisBreakers(clients[1]!, { clock: systemClock }),
    async advance(name, ms) {
      // Redis's clock cannot be set: what it remembers is moved into the past instead.
      for (const field of ['openUntil', 'probeUntil']) {
        if (await clients[0]!.hexists(keyOf(name), field)) {
          await clients[0]!.hincrby(keyOf(name), field, -ms);
        }
      }
    },
  }));

  it('takes a value that is no breaker for a closed one, and writes it anew', async () => {
    const breakers = redisBreakers(clients[0]!, {
      clock: systemClock,
      circuits: { acquire: () => assert.fail('Redis was taken for unavailable') },
    });
    for (const garbage of ['garbage', '']) {
      await clients[0]!.set(keyOf('garbled'), garbage, 'KEEPTTL');
      assert.deepEqual(await breakers.acquire('garbled'), { allowed: true, probe: false });
      assert.equal(await isOpen(breakers, 'garbled'), false);
      assert.equal(await breakers.failed('garbled', { retryAfterMs: 60_000 }), 'opened');
      assert.equal(await isOpen(breakers, 'garbled'), true);
    }
  });

  it('tells Redis of a success only where there was a failure', async () => {
    const [client] = clients;
    const breakers = redisBreakers(client!, { clock: systemClock });
    const asked = async () =>
      /cmdstat_evalsha:calls=(\d+)/.exec(await client!.info('commandstats'))?.[1];
    await breakers.acquire('well');
    const before = await asked();
    await breakers.succeeded('well');
    assert.equal(await asked(), before);
    await breakers.failed('well', {});
    await breakers.succeeded('well');
    assert.equal(await client!.exists(keyOf('well')), 0);
  });

  it('leaves nothing behind for ever', async () => {
    const breakers = redisBreakers(clients[0]!, { clock: systemClock });
    for (const report of [{}, { retryAfterMs: 3_600_000 }, { retryAfterMs: 7_200_000 }]) {
      await breakers.failed('expiring', report);
      const remaining = await clients[0]!.pttl(keyOf('expiring'));
      assert.ok(remaining > 86_000_000 + (report.retryAfterMs ?? 0), `${remaining} ms`);
    }
  });

  it('decides in this process while Redis is unavailable, and together with the others afterwards', async () => {
    const away = await startRedis();
    const client = new Redis(away.url, { retryStrategy: () => 20, maxRetriesPerRequest: 0 });
    client.on('error', () => undefined);
    const clock = manualClock();
    const breakers = redisBreakers(client, { clock });
    await away.kill('SIGKILL');
    await breakers.failed('away', {});
    await breakers.failed('away', {});
    assert.equal((await breakers.acquire('away')).allowed, true);
    assert.equal(await breakers.failed('away', {}), 'opened');
    assert.equal((await breakers.acquire('away')).allowed, false);

    await away.restart();
    await eventually(() => client.status === 'ready', 'a connection to Redis');
    assert.equal((await breakers.acquire('away')).allowed, false, 'what it learnt is kept');
    clock.advance(5000);
    assert.deepEqual(await breakers.acquire('away'), { allowed: true, probe: true });
    assert.equal(await breakers.succeeded('away'), 'closed');
    await client.hset(keyOf('away'), 'openUntil', Date.now() + 60_000);
    assert.equal((await breakers.acquire('away')).allowed, false, 'Redis decides again');
    client.disconnect();
    await away.stop();
  });

  it('opens in this process while Redis refuses writes', async () => {
    const readOnly = await startRedis();
    const client = new Redis(readOnly.url);
    await client.replicaof('127.0.0.1', await freePort());
    const breakers = redisBreakers(client, { clock: manualClock() });
    assert.equal((await breakers.acquire('stuck')).allowed, true);
    await breakers.failed('stuck', {});
    await breakers.failed('stuck', {});
    assert.equal(await breakers.failed('stuck', {}), 'opened');
    assert.equal((await breakers.acquire('stuck')).allowed, false);
    client.disconnect();
    await readOnly.stop();
  });
});

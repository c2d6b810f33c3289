import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Breakers } from '../../src/upstream/breakers.js';
import { memoryBreakers, redisBreakers } from '../support/breakers.js';
import { eventually } from '../support/eventually.js';
import { manualClock, systemClock, type ManualClock } from '../support/manual-clock.js';
import { freePort, startRedis, type RedisServer } from '../support/redis-server.js';
import { begin, budgetsContract, newBudget, refused } from './budgets.contract.js';

budgetsContract('memory', (budgets) => {
  const clock = manualClock();
  const ours = memoryBreakers(clock, budgets);
  return {
    ours,
    theirs: ours,
    advance(ms) {
      clock.advance(ms);
      return Promise.resolve();
    },
  };
});

describe('with a Redis', { timeout: 120_000 }, () => {
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

  budgetsContract('Redis', (budgets) => ({
    ours: redisBreakers(clients[0]!, { clock: systemClock, budgets }),
    theirs: redisBreakers(clients[1]!, { clock: systemClock, budgets }),
    advance: (ms) => sleep(ms),
  }));

  it('gives up the calls of a killed process, and counts them from then on', async () => {
    const { upstreams, budgets } = newBudget([{ limit: 2, windowSeconds: 1 }]);
    const [name] = upstreams;
    const killed = redisBreakers(clients[0]!, { clock: systemClock, budgets, callMs: 500 });
    const other = redisBreakers(clients[1]!, { clock: systemClock, budgets, callMs: 500 });
    await begin(killed, name);
    await begin(killed, name);
    await sleep(700);
    await refused(other, name);
    await eventually(async () => (await other.acquire(name)).allowed, 'their window to end');
  });

  it('takes garbage for nothing, and goes on', async () => {
    const { upstreams, budgets } = newBudget([{ limit: 2, windowSeconds: 60 }]);
    const [name] = upstreams;
    const budget = budgets.get(name)!.name;
    for (const what of ['calls', 'spent', '60']) {
      await clients[0]!.set(`weather:budget:{${budget}}:${what}`, 'garbage');
    }
    const breakers = redisBreakers(clients[0]!, { clock: systemClock, budgets });
    const call = await begin(breakers, name);
    await breakers.succeeded(name, call);
    await begin(breakers, name);
    await refused(breakers, name);
  });

  it('leaves nothing behind for ever', async () => {
    const { upstreams, budgets } = newBudget([{ limit: 1, windowSeconds: 1 }]);
    const [name] = upstreams;
    const breakers = redisBreakers(clients[0]!, { clock: systemClock, budgets });
    await breakers.succeeded(name, await begin(breakers, name));
    await refused(breakers, name);
    for (const key of await clients[0]!.keys(`weather:b*{${budgets.get(name)!.name}}*`)) {
      assert.ok((await clients[0]!.pttl(key)) > 0, key);
    }
  });

  it('admits no more than fit into any window, whatever many processes try', async () => {
    const limit = 7;
    const { upstreams, budgets } = newBudget([{ limit, windowSeconds: 1 }]);
    const [name] = upstreams;
    /** When each call reached its provider: some time between its beginning and its end. */
    const reached: number[] = [];
    async function caller(client: Redis, seed: number): Promise<void> {
      const breakers = redisBreakers(client, { clock: systemClock, budgets });
      for (let calls = 0; calls < 5;) {
        const admission = await breakers.acquire(name);
        if (admission.allowed) {
          calls += 1;
          await sleep((seed * 37 + calls * 61) % 200);
          reached.push(performance.now());
          await sleep((seed * 53 + calls * 17) % 200);
          await breakers.succeeded(name, admission.call);
        } else await sleep(Math.min(admission.retryAfterMs, 50));
      }
    }
    await Promise.all(Array.from({ length: 6 }, (_, n) => caller(clients[n % 2]!, n)));
    reached.sort((a, b) => a - b);
    assert.equal(reached.length, 30);
    for (const [index, at] of reached.entries()) {
      const next = reached[index + limit];
      assert.ok(next === undefined || next - at > 1000, `${limit + 1} calls in ${next! - at} ms`);
    }
  });
});

describe('without a Redis that counts', { timeout: 120_000 }, () => {
  const WINDOW = [{ limit: 6, windowSeconds: 1 }];
  const admitted = async (breakers: Breakers, name: string) => {
    for (let calls = 0; ; calls += 1) {
      const admission = await breakers.acquire(name);
      if (!admission.allowed) return calls;
      await breakers.succeeded(name, admission.call);
    }
  };

  /** As time passes: Redis is looked at about once a second. */
  const pass = async (clock: ManualClock, breakers: Breakers, name: string, seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      clock.advance(1001);
      await breakers.left(name);
    }
  };

  it('waits for the calls that were counted there, then uses its share', async (t) => {
    const redis = await startRedis();
    t.after(() => redis.stop());
    const client = new Redis(redis.url, { retryStrategy: () => 20, maxRetriesPerRequest: 0 });
    t.after(() => {
      client.disconnect();
    });
    client.on('error', () => undefined);
    const { upstreams, budgets } = newBudget(WINDOW);
    const [name] = upstreams;
    const clock = manualClock();
    const breakers = redisBreakers(client, { clock, budgets, share: 1 / 3 });
    await breakers.succeeded(name, await begin(breakers, name));
    await redis.kill('SIGKILL');
    await refused(breakers, name);
    clock.advance(1000);
    await refused(breakers, name);
    clock.advance(2001);
    assert.equal(await admitted(breakers, name), 2);
    clock.advance(1001);
    assert.equal(await admitted(breakers, name), 2);

    await redis.restart();
    await eventually(() => client.status === 'ready', 'a connection to Redis');
    // Others may have used their shares a moment ago.
    await refused(breakers, name);
    await pass(clock, breakers, name, 3);
    // By Redis's clock too: it counted the question that found out that it is back.
    await sleep(1100);
    assert.equal(await admitted(breakers, name), 6);
  });

  it('waits when Redis has lost what it counted', async (t) => {
    const redis = await startRedis();
    t.after(() => redis.stop());
    const client = new Redis(redis.url);
    t.after(() => {
      client.disconnect();
    });
    const { upstreams, budgets } = newBudget([{ limit: 2, windowSeconds: 60 }]);
    const [name] = upstreams;
    const clock = manualClock();
    const breakers = redisBreakers(client, { clock, budgets });
    assert.equal(await admitted(breakers, name), 2);
    await client.flushall();
    await refused(breakers, name);
    await pass(clock, breakers, name, 60);
    await refused(breakers, name);
    await pass(clock, breakers, name, 3);
    assert.ok((await admitted(breakers, name)) >= 1);
  });

  it('makes no call in a process that has no share', async (t) => {
    const redis = await startRedis();
    t.after(() => redis.stop());
    const client = new Redis(redis.url, { retryStrategy: () => null, maxRetriesPerRequest: 0 });
    t.after(() => {
      client.disconnect();
    });
    client.on('error', () => undefined);
    const { upstreams, budgets } = newBudget(WINDOW);
    const clock = manualClock();
    const breakers = redisBreakers(client, { clock, budgets, share: 0 });
    await redis.stop();
    for (let minute = 0; minute < 5; minute += 1) {
      await refused(breakers, upstreams[0]);
      clock.advance(60_000);
    }
  });

  it('uses its share while Redis takes no writes', async (t) => {
    const redis = await startRedis();
    t.after(() => redis.stop());
    const client = new Redis(redis.url);
    t.after(() => {
      client.disconnect();
    });
    await client.replicaof('127.0.0.1', await freePort());
    const { upstreams, budgets } = newBudget(WINDOW);
    const [name] = upstreams;
    const clock = manualClock();
    const breakers = redisBreakers(client, { clock, budgets, share: 1 / 3 });
    await refused(breakers, name);
    await pass(clock, breakers, name, 3);
    assert.equal(await admitted(breakers, name), 2);
  });
});

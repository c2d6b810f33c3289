import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { memoryBreakers, redisBreakers } from '../support/breakers.js';
import { eventually } from '../support/eventually.js';
import { manualClock, systemClock } from '../support/manual-clock.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
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

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { createMemoryBudgets } from '../../src/memory/budgets.js';
import { createRedisBudgets } from '../../src/redis/budgets.js';
import { createNames } from '../../src/redis/names.js';
import type { Budgets } from '../../src/upstream/budgets.js';
import { passInRedis } from '../support/limiters.js';
import { manualClock } from '../support/manual-clock.js';
import { plainRedisStore } from '../support/plain-redis-store.js';
import { freePort, startRedis } from '../support/redis-server.js';
import { useRedis } from '../support/use-redis.js';
import { budgetsContract, newBudget, waits } from './budgets.contract.js';

budgetsContract('memory', (budgets) => {
  const clock = manualClock();
  const ours = createMemoryBudgets({ budgets, parts: 1, clock });
  return {
    ours,
    theirs: ours,
    advance(ms) {
      clock.advance(ms);
      return Promise.resolve();
    },
  };
});

describe('a call', () => {
  it('counts a quarter of a second longer than the window: it may reach the provider late', async () => {
    const [budgets, name = ''] = newBudget([{ limit: 1, windowSeconds: 60 }]);
    const clock = manualClock();
    const ours = createMemoryBudgets({ budgets, parts: 1, clock });
    await ours.take(name);
    clock.advance(60_000);
    assert.deepEqual(await waits({ ours, theirs: ours }, name), [250]);
  });
});

describe('with a Redis', () => {
  const redis = useRedis();

  function open(budgets: Budgets, connection = redis.client, prefix: string = randomUUID()) {
    const share = createMemoryBudgets({ budgets, parts: 3, clock: manualClock() });
    const names = createNames(prefix, 0);
    return createRedisBudgets({ store: plainRedisStore(connection), names, budgets, share });
  }
  function openTwo(budgets: Budgets) {
    const prefix = randomUUID();
    return {
      ours: open(budgets, redis.client, prefix),
      theirs: open(budgets, redis.client, prefix),
      prefix,
    };
  }

  budgetsContract('Redis', (budgets) => ({
    ...openTwo(budgets),
    advance: (ms) => passInRedis(redis.client, ms),
  }));

  it('a quota that was told as used up is learnt by all processes, the longer of two', async () => {
    for (const budgets of [new Map() as Budgets, newBudget([{ limit: 9, windowSeconds: 1 }])[0]]) {
      const [name = 'free'] = budgets.keys();
      const { ours, theirs, prefix } = openTwo(budgets);
      assert.equal((await theirs.take(name)).quotaMs, 0);
      await ours.quotaUsedUp(name, 3_600_000);
      await ours.quotaUsedUp(name, 60_000);
      const { quotaMs } = await theirs.take(name);
      assert.ok(quotaMs > 3_500_000 && quotaMs <= 3_600_000, `${quotaMs} ms`);
      assert.equal((await theirs.take('other')).quotaMs, 0);
      await redis.client.pexpire(createNames(prefix, 0).quota(name), 0);
      assert.equal((await theirs.take(name)).quotaMs, 0);
    }
  });

  it('a value of another form closes no provider off', async () => {
    const [budgets, name = ''] = newBudget([{ limit: 5, windowSeconds: 60 }]);
    const { ours, theirs, prefix } = openTwo(budgets);
    await waits({ ours, theirs }, name);
    await ours.quotaUsedUp(name, 60_000);
    const keys = await redis.client.keys(`${prefix}*`);
    assert.equal(keys.length, 2);
    for (const key of keys) await redis.client.set(key, 'garbage', 'KEEPTTL');
    assert.deepEqual(await theirs.take(name), { waitMs: 0, quotaMs: 0 });
    for (const key of keys) await redis.client.multi().del(key).rpush(key, 'garbage').exec();
    assert.deepEqual(await theirs.take(name), { waitMs: 0, quotaMs: 0 });
    await ours.quotaUsedUp(name, 60_000);
    assert.ok((await theirs.take(name)).quotaMs > 0, 'it is replaced');
    for (const key of keys) assert.ok((await redis.client.pttl(key)) > 0, key);
  });

  it('each process has its share at once while Redis takes no writes, or is away', async () => {
    const [budgets, name = ''] = newBudget([{ limit: 6, windowSeconds: 60 }]);
    const readOnly = await startRedis();
    const connection = new Redis(readOnly.url, { retryStrategy: null, maxRetriesPerRequest: 0 });
    connection.on('error', () => undefined);
    const ours = open(budgets, connection);
    const test = { ours, theirs: ours };
    // What was counted with the others does not use up the share.
    assert.deepEqual(await waits(test, name, name, name, name), [0, 0, 0, 0]);
    await connection.replicaof('127.0.0.1', await freePort());
    assert.deepEqual(await waits(test, name), [0]);
    await readOnly.stop();
    assert.deepEqual(await waits(test, name), [0]);
    assert.ok((await waits(test, name))[0]! > 0);
    connection.disconnect();
  });
});

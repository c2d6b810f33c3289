import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { withFallback } from '../../src/limits/fallback.js';
import { createMemoryWindows } from '../../src/memory/windows.js';
import { createNames } from '../../src/redis/names.js';
import { createRedisQuotas } from '../../src/redis/quotas.js';
import { createRedisWindows } from '../../src/redis/windows.js';
import { createCallBudgets, type Budgets } from '../../src/upstream/budgets.js';
import { passInRedis } from '../support/limiters.js';
import { manualClock } from '../support/manual-clock.js';
import { plainRedisStore } from '../support/plain-redis-store.js';
import { recordingLog } from '../support/records.js';
import { freePort, startRedis } from '../support/redis-server.js';
import { useRedis } from '../support/use-redis.js';
import { budgetsContract, newBudget, waits } from './budgets.contract.js';

const BOUNDS = { maxKeys: 100, maxInstants: 10_000 };
const ANY = { reserve: true };
const { log } = recordingLog();

/** The budgets of a process alone, and its clock. */
function openAlone(budgets: Budgets) {
  const clock = manualClock();
  const windows = createMemoryWindows({ clock, ...BOUNDS });
  const quotas = { tell: () => Promise.resolve(0) };
  return { clock, ours: createCallBudgets({ budgets, windows, quotas, parts: 1, clock, log }) };
}

budgetsContract('memory', (budgets) => {
  const { ours, clock } = openAlone(budgets);
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
    const { ours, clock } = openAlone(budgets);
    await ours.take(name, ANY);
    clock.advance(60_000);
    assert.deepEqual(await waits({ ours, theirs: ours }, name), [250]);
  });
});

describe('with a Redis', () => {
  const redis = useRedis();

  function open(budgets: Budgets, connection = redis.client, prefix: string = randomUUID()) {
    const names = createNames(prefix, 0);
    const store = plainRedisStore(connection);
    const clock = manualClock();
    const local = createMemoryWindows({ clock, ...BOUNDS });
    return createCallBudgets({
      budgets,
      windows: withFallback(createRedisWindows(store, names), local, clock),
      quotas: createRedisQuotas(store, names),
      parts: 3,
      clock,
      log,
    });
  }
  function openTwo(budgets: Budgets) {
    const prefix = randomUUID();
    return {
      ours: open(budgets, redis.client, prefix),
      theirs: open(budgets, redis.client, prefix),
      quotaKey: (name: string) => createNames(prefix, 0).quota(name),
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
      const { ours, theirs, quotaKey } = openTwo(budgets);
      assert.equal((await theirs.take(name, ANY)).quotaMs, 0);
      await ours.quotaUsedUp(name, 3_600_000);
      await ours.quotaUsedUp(name, 60_000);
      const { quotaMs } = await theirs.take(name, ANY);
      assert.ok(quotaMs > 3_500_000 && quotaMs <= 3_600_000, `${quotaMs} ms`);
      assert.equal((await theirs.take('other', ANY)).quotaMs, 0);
      await redis.client.pexpire(quotaKey(name), 0);
      assert.equal((await theirs.take(name, ANY)).quotaMs, 0);
    }
  });

  it('a quota is used up for as long as was told, though the clock of Redis goes back', async () => {
    const { ours, theirs, quotaKey } = openTwo(new Map());
    await ours.quotaUsedUp('p', 60_000);
    // The end of a key's life is an instant: an hour back, and it lives an hour longer.
    await redis.client.pexpire(quotaKey('p'), 3_660_000);
    const { quotaMs } = await theirs.take('p', ANY);
    assert.ok(quotaMs > 10_000 && quotaMs <= 60_000, `${quotaMs} ms`);
    const lifeMs = await redis.client.pttl(quotaKey('p'));
    assert.ok(lifeMs <= 60_000, `the key lives ${lifeMs} ms`);
    await redis.client.pexpire(quotaKey('p'), 1000);
    assert.ok((await theirs.take('p', ANY)).quotaMs <= 1000, 'what is left, not what was told');
  });

  it('a value of another form closes no provider off', async () => {
    const [budgets, name = ''] = newBudget([{ limit: 5, windowSeconds: 60 }]);
    const { ours, theirs, prefix } = openTwo(budgets);
    await waits({ ours, theirs }, name);
    await ours.quotaUsedUp(name, 60_000);
    const keys = await redis.client.keys(`${prefix}*`);
    assert.equal(keys.length, 2);
    for (const garbage of ['garbage', '', '-5', 'nan', 'used up']) {
      for (const key of keys) await redis.client.set(key, garbage, 'PX', 60_000);
      assert.deepEqual(await theirs.take(name, ANY), { waitMs: 0, quotaMs: 0 }, garbage);
    }
    for (const key of keys) await redis.client.multi().del(key).rpush(key, 'garbage').exec();
    assert.deepEqual(await theirs.take(name, ANY), { waitMs: 0, quotaMs: 0 });
    await ours.quotaUsedUp(name, 60_000);
    assert.ok((await theirs.take(name, ANY)).quotaMs > 0, 'it is replaced');
    for (const key of keys) assert.ok((await redis.client.pttl(key)) > 0, key);
  });

  it('both waits take from the time of the request, and no more than one of them', async () => {
    const [budgets, name = ''] = newBudget([{ limit: 5, windowSeconds: 60 }]);
    const plain = plainRedisStore(redis.client);
    /** Each wait takes ten milliseconds, at the same time as others. */
    const take = (time?: { storeMs: number }) => {
      if (time) time.storeMs -= 10;
    };
    const store: typeof plain = {
      ...plain,
      run(key, command, time) {
        take(time);
        return plain.run(key, command, time);
      },
      script(script, lua) {
        const call = plain.script(script, lua);
        return (keys, args, time) => {
          take(time);
          return call(keys, args, time);
        };
      },
    };
    const names = createNames(randomUUID(), 0);
    const ours = createCallBudgets({
      budgets,
      windows: createRedisWindows(store, names),
      quotas: createRedisQuotas(store, names),
      parts: 1,
      clock: manualClock(),
      log,
    });
    const time = { storeMs: 250 };
    await ours.take(name, ANY, time);
    assert.equal(time.storeMs, 240);
    await ours.quotaUsedUp(name, 1000, time);
    assert.equal(time.storeMs, 230);
  });

  it('each process has its share at once while Redis takes no writes, or is unavailable', async () => {
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
    const [wait = 0] = await waits(test, name);
    assert.ok(wait > 0 && wait <= 10_000, 'Redis may be back by then');
    connection.disconnect();
  });
});

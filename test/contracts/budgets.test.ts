import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { withFallback } from '../../src/limits/fallback.js';
import { createMemoryWindows } from '../../src/memory/memory-windows.js';
import { createNames } from '../../src/redis/names.js';
import { createRedisWindows } from '../../src/redis/redis-windows.js';
import { createCallBudgets, type Budgets } from '../../src/upstream/call-budgets.js';
import { passInRedis } from '../support/limiters.js';
import { manualClock } from '../support/manual-clock.js';
import { plainRedisStore } from '../support/plain-redis-store.js';
import { recordingLog } from '../support/records.js';
import { freePort, startRedis } from '../support/redis-server.js';
import { useRedis } from '../support/use-redis.js';
import { budgetsContract, newBudget, waits } from './budgets.contract.js';

const BOUNDS = { maxKeys: 100, maxInstants: 10_000 };
const { log } = recordingLog();

/** The budgets of a process alone, and its clock. */
function openAlone(budgets: Budgets) {
  const clock = manualClock();
  const windows = createMemoryWindows({ clock, ...BOUNDS });
  return { clock, ours: createCallBudgets({ budgets, windows, replicas: 1, clock, log }) };
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
  it('counts 250 ms longer than the window, because it may reach the provider late', async () => {
    const [budgets, name = ''] = newBudget([{ limit: 1, windowSeconds: 60 }]);
    const { ours, clock } = openAlone(budgets);
    await ours.take(name);
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
      windows: withFallback(createRedisWindows(store, names), local),
      replicas: 3,
      clock,
      log,
    });
  }
  function openTwo(budgets: Budgets) {
    const prefix = randomUUID();
    return {
      ours: open(budgets, redis.client, prefix),
      theirs: open(budgets, redis.client, prefix),
    };
  }

  budgetsContract('Redis', (budgets) => ({
    ...openTwo(budgets),
    advance: (ms) => passInRedis(redis.client, ms),
  }));

  it('each process has its per-process limit at once while Redis refuses writes or is unavailable', async () => {
    const [budgets, name = ''] = newBudget([{ limit: 6, windowSeconds: 60 }]);
    const readOnly = await startRedis();
    const connection = new Redis(readOnly.url, { retryStrategy: null, maxRetriesPerRequest: 0 });
    connection.on('error', () => undefined);
    const ours = open(budgets, connection);
    const test = { ours, theirs: ours };
    // Calls that Redis has counted do not count toward the per-process limit.
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

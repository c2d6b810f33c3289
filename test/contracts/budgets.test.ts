import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { StoreUnavailableError } from '../../src/base/errors.js';
import { withFallback } from '../../src/redis/windows-fallback.js';
import type { Windows } from '../../src/limits/rate-limit-window.js';
import { createMemoryWindows } from '../../src/memory/memory-windows.js';
import { createNames } from '../../src/redis/names.js';
import { createRedisWindows } from '../../src/redis/redis-windows.js';
import { createCallBudgets, type Budgets } from '../../src/upstream/call-budgets.js';
import { passInRedis } from '../support/limiters.js';
import { manualClock } from '../support/manual-clock.js';
import { plainRedis } from '../support/plain-redis.js';
import { recordingLog } from '../support/records.js';
import { useRedis } from '../support/use-redis.js';
import { budgetsContract, newBudget, waits } from './budgets.contract.js';

const BOUNDS = { maxKeys: 100, maxInstants: 10_000 };
const { log } = recordingLog();

/** The budgets of one of three processes, and its clock. Without `count`, it is alone. */
function openAlone(budgets: Budgets, count?: Windows['count']) {
  const clock = manualClock();
  const local = createMemoryWindows({ clock, ...BOUNDS });
  const windows = count ? withFallback({ count }, local, clock, () => false) : local;
  return { clock, ours: createCallBudgets({ budgets, windows, replicas: 3, clock, log }) };
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

describe('the budgets of a process', () => {
  it('are a part of those of the fleet while Redis is unavailable', async () => {
    const [budgets, name = ''] = newBudget([{ limit: 6, windowSeconds: 60 }]);
    const { ours } = openAlone(budgets, () =>
      Promise.reject(new StoreUnavailableError('no connection')),
    );
    const [first, second, wait = 0] = await waits({ ours, theirs: ours }, name, name, name);
    assert.deepEqual([first, second], [0, 0]);
    assert.ok(wait > 0 && wait <= 10_000, 'Redis may be back by then');
  });

  it('count a call 250 ms longer than the window, because it may reach the provider late', async () => {
    const [budgets, name = ''] = newBudget([{ limit: 1, windowSeconds: 60 }]);
    const { ours, clock } = openAlone(budgets);
    await ours.take(name);
    clock.advance(60_000);
    assert.deepEqual(await waits({ ours, theirs: ours }, name), [250]);
  });
});

describe('with a Redis', () => {
  const redis = useRedis();

  budgetsContract('Redis', (budgets) => {
    const windows = createRedisWindows(plainRedis(redis.client), createNames(randomUUID(), 0));
    const open = () =>
      createCallBudgets({ budgets, windows, replicas: 3, clock: manualClock(), log });
    return {
      ours: open(),
      theirs: open(),
      advance: (ms) => passInRedis(redis.client, ms),
    };
  });
});

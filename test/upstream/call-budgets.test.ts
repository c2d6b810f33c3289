import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreUnavailableError } from '../../src/base/errors.js';
import { createMemoryWindows } from '../../src/memory/memory-windows.js';
import { withFallback } from '../../src/redis/windows-fallback.js';
import {
  createCallBudgets,
  waitForBudget,
  type Budget,
  type Budgets,
} from '../../src/upstream/call-budgets.js';
import { UpstreamError } from '../../src/weather/errors.js';
import { policyOptionsOf } from '../support/call-policies.js';
import { manualClock } from '../support/manual-clock.js';
import { recordingLog } from '../support/records.js';

/** The budgets of one process, with one budget that `sharers` upstreams share. */
function open(windows: Budget['windows'], sharers = ['a']) {
  const clock = manualClock();
  const budgets: Budgets = new Map(sharers.map((name) => [name, { name: 'shared', windows }]));
  const { options } = policyOptionsOf(clock, budgets);
  /** The wait in milliseconds of each call. 0: the call is counted. */
  const waits = async (...upstreams: string[]) => {
    const found: number[] = [];
    for (const upstream of upstreams) found.push(await options.budgets.take(upstream));
    return found;
  };
  const refresh = (upstream: string) => options.budgets.take(upstream, true);
  return { clock, waits, refresh, state: (name: string) => options.budgets.state(name) };
}

describe('a budget', () => {
  it('admits its limit until the first call has left the window, in which a call counts 250 ms longer because it may reach the provider late', async () => {
    const { clock, waits } = open([{ limit: 3, windowSeconds: 60 }]);
    assert.deepEqual(await waits('a', 'a', 'a', 'a'), [0, 0, 0, 60_250]);
    clock.advance(60_249);
    assert.deepEqual(await waits('a'), [1]);
    clock.advance(1);
    assert.deepEqual(await waits('a'), [0]);
  });

  it('is one for all upstreams that share it, and does not apply to others', async () => {
    const { waits, state } = open([{ limit: 2, windowSeconds: 60 }], ['a', 'b']);
    assert.deepEqual(await waits('a', 'b', 'a', 'b'), [0, 0, 60_250, 60_250]);
    assert.deepEqual(await waits('free', 'free', 'free'), [0, 0, 0]);
    assert.deepEqual(await state('free'), []);
  });

  it('of an hour has a quarter that only refreshes of known places use', async () => {
    const { clock, waits, refresh } = open([
      { limit: 9, windowSeconds: 3599 },
      { limit: 10, windowSeconds: 3600 },
    ]);
    assert.deepEqual(await waits(...Array<string>(9).fill('a')), [
      ...Array<number>(8).fill(0),
      3_600_250,
    ]);
    assert.deepEqual([await refresh('a'), await refresh('a')], [0, 3_599_250]);
    clock.advance(3_600_250);
    assert.deepEqual([await refresh('a'), await waits('a')], [0, [0]]);
  });

  it('is obeyed in each of its windows, and the wait is the longest', async () => {
    const { clock, waits } = open([
      { limit: 2, windowSeconds: 1 },
      { limit: 3, windowSeconds: 3600 },
    ]);
    assert.deepEqual(await waits('a', 'a', 'a'), [0, 0, 1250]);
    clock.advance(1250);
    assert.deepEqual(await waits('a', 'a'), [0, 3_600_250 - 1250]);
  });

  it('reports the remaining calls without counting one', async () => {
    const { waits, state } = open([{ limit: 2, windowSeconds: 60 }]);
    for (const remaining of [2, 1, 0]) {
      assert.deepEqual(await state('a'), [{ limit: 2, windowSeconds: 60, remaining }]);
      assert.equal((await state('a'))[0]?.remaining, remaining);
      await waits('a');
    }
  });

  it('is divided among the processes while Redis is unavailable', async () => {
    const clock = manualClock();
    const local = createMemoryWindows({ clock, maxKeys: 100, maxInstants: 10_000 });
    const count = () => Promise.reject(new StoreUnavailableError('no connection'));
    const budgets = createCallBudgets({
      budgets: new Map([['a', { name: 'a', windows: [{ limit: 6, windowSeconds: 60 }] }]]),
      windows: withFallback({ count }, local, clock, () => false),
      replicas: 3,
      clock,
      log: recordingLog().log,
    });
    assert.deepEqual([await budgets.take('a'), await budgets.take('a')], [0, 0]);
    const wait = await budgets.take('a');
    assert.ok(wait > 0 && wait <= 10_000, 'Redis may be available again by then');
  });
});

describe('a budget that is used up', () => {
  it('is reported once, and once when it is available again', async () => {
    const clock = manualClock();
    const windows = [
      { limit: 2, windowSeconds: 60 },
      { limit: 6, windowSeconds: 3600 },
    ];
    const budget: Budgets = new Map([['first', { name: 'shared', windows }]]);
    const { options, records } = policyOptionsOf(clock, budget);
    const { budgets } = options;
    const take = async (times: number) => {
      for (let call = 0; call < times; call += 1) await budgets.take('first');
      return records.map(({ event }) => event);
    };
    const [spent, free] = ['provider_budget_exhausted', 'provider_budget_restored'];
    assert.deepEqual([await take(2), budgets.isUsedUp('shared')], [[], false]);
    assert.deepEqual([await take(3), budgets.isUsedUp('shared')], [[spent], true]);
    // Two calls fit again, but the last call was rejected only a moment ago.
    clock.advance(59_000);
    await take(1);
    clock.advance(1250);
    assert.deepEqual([await take(3), budgets.isUsedUp('shared')], [[spent], true]);
    clock.advance(60_250);
    assert.equal(budgets.isUsedUp('shared'), false);
    assert.deepEqual([await take(1), budgets.isUsedUp('shared')], [[spent, free], false]);
    assert.deepEqual(await take(2), [spent, free, spent]);
  });

  it('is not available before a call fits', async () => {
    const clock = manualClock();
    const windows = [
      { limit: 9, windowSeconds: 60 },
      { limit: 1, windowSeconds: 3600 },
    ];
    const { options } = policyOptionsOf(clock, new Map([['first', { name: 'first', windows }]]));
    await options.budgets.take('first');
    await options.budgets.take('first');
    clock.advance(3_600_000);
    assert.equal(options.budgets.isUsedUp('first'), true);
    clock.advance(250);
    assert.equal(options.budgets.isUsedUp('first'), false);
  });

  it('is waited for if it is available within two seconds', async () => {
    const clock = manualClock();
    let attempts = 0;
    const attempt = () => {
      attempts += 1;
      clock.advance(1999);
      return Promise.reject(new UpstreamError('a', 'over_budget', 'spent', { retryAfterMs: 1 }));
    };
    const { signal } = new AbortController();
    await assert.rejects(waitForBudget(clock, signal, attempt), { kind: 'over_budget' });
    assert.equal(attempts, 2);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitForBudget, type Budgets } from '../../src/upstream/call-budgets.js';
import { UpstreamError } from '../../src/weather/errors.js';
import { policyOptionsOf } from '../support/call-policies.js';
import { manualClock } from '../support/manual-clock.js';

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
    const [spent, free] = ['provider_budget_spent', 'provider_budget_free'];
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

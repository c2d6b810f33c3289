import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertOutcomes, burst } from '../support/load.js';
import { placePath } from '../support/places.js';
import { useStack } from '../support/shared-stack.js';
import { PATHS } from '../support/stub-provider.js';

const BUDGET = 5;

describe('the budget of a provider', () => {
  const env = { PROVIDER_BUDGETS: `open-meteo=${BUDGET}/60`, REPLICAS_HINT: '2' };
  const stackOf = useStack({ replicas: 2, workers: 1, env });

  it('is obeyed by all processes together, and the next provider gets the other calls', async () => {
    const { upstream, url } = stackOf();
    const replies = await burst(Array.from({ length: 4 * BUDGET }, (_, n) => url(placePath(n))));
    assertOutcomes(replies);
    const calls = upstream.count(PATHS.openMeteo);
    assert.ok(calls > 0 && calls <= BUDGET, `${calls} calls`);
    assert.equal(upstream.count(PATHS.metNorway), 4 * BUDGET - calls);
  });
});

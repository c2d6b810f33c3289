import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertMisses, coordinatedFetches } from '../support/coordinated-fetches.js';
import { assertOutcomes, burst, tally } from '../support/load.js';
import { placePath } from '../support/places.js';
import { useStack } from '../support/shared-stack.js';
import { PATHS } from '../support/stub-provider.js';

const BUDGET = 6;

describe('two replicas and a worker', () => {
  const env = { PROVIDER_BUDGETS: `open-meteo=${BUDGET}/60`, REPLICAS_HINT: '2' };
  const stackOf = useStack({ replicas: 2, workers: 1, env });

  it('make one fetch for hundreds of requests for one cold place', async () => {
    const stack = stackOf();
    // Longer than all requests take to arrive, and a job may wait for a worker (1 s).
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 3000 });
    const replies = await burst(Array.from({ length: 300 }, () => stack.url(placePath(1))));
    assertMisses(stack, replies);
    const { '200 COALESCED': coalesced = 0 } = tally(replies);
    // On a busy machine, most requests arrive after the fetch.
    assert.ok(coalesced > 0, JSON.stringify(tally(replies)));
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assert.equal(coordinatedFetches(stack, 1), 1);
    for (const { provider, outcome, duration_ms: duration } of stack.workers[0]!.of('fetch')) {
      assert.deepEqual([provider, outcome, typeof duration], ['open-meteo', 'ok', 'number']);
    }
  });

  it('obey the budget of a provider together, and the next one gets the other calls', async () => {
    const { upstream, url } = stackOf();
    const replies = await burst(
      Array.from({ length: 4 * BUDGET }, (_, n) => url(placePath(n + 10))),
    );
    assertOutcomes(replies);
    const calls = upstream.count(PATHS.openMeteo);
    assert.ok(calls > 0 && calls <= BUDGET, `${calls} calls`);
    assert.equal(upstream.count(PATHS.metNorway), 4 * BUDGET - calls);
  });
});

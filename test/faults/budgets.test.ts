import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { workerFetches } from '../support/coordinated-fetches.js';
import {
  requestColdPlaces,
  assertWithinTerms,
  budgetsOf,
  type Terms,
} from '../support/cold-places.js';
import { eventually } from '../support/eventually.js';
import { startStack } from '../support/stack.js';
import { PATHS } from '../support/stub-provider.js';

const TERMS: Terms = {
  openMeteo: { calls: 15, seconds: 60 },
  metNorway: { calls: 8, seconds: 1 },
};
const ENV = { PROVIDER_BUDGETS: budgetsOf(TERMS), REPLICAS_HINT: '2', UPSTREAM_TIMEOUT_MS: '2000' };
const PLACES = 30;

describe("the providers' budgets", { timeout: 120_000 }, () => {
  it('are obeyed by all processes together, also if a worker is killed', async (t) => {
    const stack = await startStack(t, { replicas: 2, workers: 2, env: ENV });
    const { upstream, workers, replicas } = stack;
    await workerFetches(stack);
    upstream.reset();
    const replying = requestColdPlaces(stack, PLACES);
    await eventually(() => upstream.count(PATHS.metNorway) > 0, 'the next provider');
    workers[0]!.kill('SIGKILL');
    const replies = await replying;
    assertWithinTerms(stack, TERMS, replies);
    const providers = new Set(replies.map(({ headers }) => headers['x-weather-provider']));
    assert.deepEqual([...providers].sort(), ['met-norway', 'open-meteo']);
    const spent = [...replicas, ...workers].map((service) =>
      service.of('provider_budget_spent').filter((record) => record['provider'] === 'open-meteo'),
    );
    assert.equal(Math.max(...spent.map(({ length }) => length)), 1, 'each process reports it once');
    assert.equal(replicas.concat(workers).flatMap((each) => each.of('upstream_failed')).length, 0);
  });
});

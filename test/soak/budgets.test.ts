import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerFetches } from '../support/agreed-fetches.js';
import { askColdPlaces, assertWithinTerms, budgetsOf, type Terms } from '../support/cold-places.js';
import { eventually } from '../support/eventually.js';
import { startStack, type Stack } from '../support/stack.js';
import { PATHS } from '../support/stand-in.js';

/** What the public hosts allow. */
const TERMS: Terms = {
  openMeteo: { calls: 600, seconds: 60 },
  metNorway: { calls: 20, seconds: 1 },
};
const ENV = { PROVIDER_BUDGETS: budgetsOf(TERMS), REPLICAS_HINT: '3' };
const PLACES = 1000;

describe('three replicas, four workers and a thousand cold places', { timeout: 600_000 }, () => {
  /** @param meanwhile goes on while half of the places wait for the second provider */
  async function keepsTerms(t: TestContext, meanwhile: (stack: Stack) => Promise<void>) {
    const stack = await startStack(t, { replicas: 3, workers: 4, env: ENV });
    const { upstream } = stack;
    await workerFetches(stack);
    // Every process sees once a second since when Redis counts.
    await sleep(2500);
    upstream.reset();
    const asking = askColdPlaces(stack, TERMS, PLACES);
    await eventually(() => upstream.count(PATHS.metNorway) > 20, 'the next provider');
    await meanwhile(stack);
    assertWithinTerms(stack, await asking);
  }

  it('keep the terms of the providers', (t) => keepsTerms(t, () => Promise.resolve()));

  it('keep them when workers are killed', (t) =>
    keepsTerms(t, ({ workers }) => {
      for (const worker of workers.slice(0, 2)) worker.kill('SIGKILL');
      return Promise.resolve();
    }));

  it('keep them when Redis is killed', (t) => keepsTerms(t, ({ redis }) => redis.kill('SIGKILL')));

  it('keep them when Redis is killed and comes back', (t) =>
    keepsTerms(t, async ({ redis, upstream }) => {
      await redis.kill('SIGKILL');
      const before = upstream.count(PATHS.metNorway);
      await eventually(() => upstream.count(PATHS.metNorway) > before + 60, 'calls without Redis');
      await redis.restart();
    }));
});

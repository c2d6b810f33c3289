import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { workerFetches } from '../support/coordinated-fetches.js';
import { askColdPlaces, budgetsOf, type Terms } from '../support/cold-places.js';
import { eventually } from '../support/eventually.js';
import { startStack, type Stack } from '../support/stack.js';
import { PATHS } from '../support/stub-provider.js';

/** The limits of the public hosts. */
const TERMS: Terms = {
  openMeteo: { calls: 600, seconds: 60 },
  metNorway: { calls: 20, seconds: 1 },
};
const ENV = { PROVIDER_BUDGETS: budgetsOf(TERMS), REPLICAS_HINT: '3' };
const PLACES = 1000;

describe('three replicas, four workers and a thousand cold places', { timeout: 600_000 }, () => {
  /** Asserts 200, or 503 with `Retry-After`: no fetch waits long for a used-up budget. */
  async function run(t: TestContext, meanwhile: (stack: Stack) => Promise<void>): Promise<Stack> {
    const stack = await startStack(t, { replicas: 3, workers: 4, env: ENV });
    await workerFetches(stack);
    stack.upstream.reset();
    const replying = askColdPlaces(stack, TERMS, PLACES);
    await eventually(() => stack.upstream.count(PATHS.metNorway) > 20, 'the next provider');
    await meanwhile(stack);
    const others = (await replying).filter(({ status }) => status !== 200);
    assert.deepEqual(
      others.filter(
        ({ status, headers }) => status !== 503 || !(Number(headers['retry-after']) > 0),
      ),
      [],
    );
    return stack;
  }
  const refused = ({ upstream }: Stack) =>
    [PATHS.openMeteo, PATHS.metNorway].map((path) => upstream.refused(path));

  it('keep the terms of the providers', async (t) => {
    assert.deepEqual(refused(await run(t, () => Promise.resolve())), [0, 0]);
  });

  it('keep them when workers are killed', async (t) => {
    const stack = await run(t, ({ workers }) => {
      for (const worker of workers.slice(0, 2)) worker.kill('SIGKILL');
      return Promise.resolve();
    });
    assert.deepEqual(refused(stack), [0, 0]);
  });

  it('make at most twice as many calls in the window around an outage of Redis', async (t) => {
    const stack = await run(t, ({ redis }) => redis.kill('SIGKILL'));
    const { upstream } = stack;
    assert.ok(upstream.count(PATHS.openMeteo) <= 2 * TERMS.openMeteo.calls);
  });
});

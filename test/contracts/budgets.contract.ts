import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Budget, Budgets, CallBudgets } from '../../src/upstream/call-budgets.js';

export interface BudgetsUnderTest {
  /** The budgets of two processes. An adapter of one process returns the same twice. */
  ours: CallBudgets;
  theirs: CallBudgets;
  advance: (ms: number) => Promise<void>;
}

let names = 0;
/** A budget that no other test uses, with the names of the upstreams that share it. */
export function newBudget(windows: Budget['windows'], sharers = 1): [Budgets, ...string[]] {
  const name = `budget-${(names += 1)}`;
  const upstreams = Array.from({ length: sharers }, (_, n) => `${name}-of-${n}`);
  return [new Map(upstreams.map((upstream) => [upstream, { name, windows }])), ...upstreams];
}

/** The wait in milliseconds of each call, alternating between the processes. 0: the call is counted. */
export async function waits(
  { ours, theirs }: Omit<BudgetsUnderTest, 'advance'>,
  ...upstreams: string[]
): Promise<number[]> {
  const found: number[] = [];
  for (const [i, upstream] of upstreams.entries()) {
    found.push(await (i % 2 === 0 ? ours : theirs).take(upstream));
  }
  return found;
}

/** The tests that every adapter passes. */
export function budgetsContract(
  adapter: string,
  create: (budgets: Budgets) => BudgetsUnderTest,
): void {
  describe(`budgets: ${adapter}`, () => {
    it('admit at most the limit for all processes together, until the first call leaves the window', async () => {
      const [budgets, name = ''] = newBudget([{ limit: 3, windowSeconds: 60 }]);
      const test = create(budgets);
      const [, , , wait = 0] = await waits(test, name, name, name, name);
      assert.ok(wait > 50_000 && wait <= 60_250, `${wait} ms`);
      // A call may reach the provider 250 ms after it starts.
      await test.advance(wait - 250);
      assert.ok((await waits(test, name))[0]! > 0);
      await test.advance(250);
      assert.deepEqual(await waits(test, name), [0]);
    });

    it('are one for all upstreams that share them', async () => {
      const [budgets, one = '', other = ''] = newBudget([{ limit: 2, windowSeconds: 60 }], 2);
      const found = await waits(create(budgets), one, other, one, other);
      assert.deepEqual(
        found.map((wait) => wait > 0),
        [false, false, true, true],
      );
    });

    it('are obeyed in each of their windows, and return the longest wait', async () => {
      const [budgets, name = ''] = newBudget([
        { limit: 2, windowSeconds: 1 },
        { limit: 3, windowSeconds: 3600 },
      ]);
      const test = create(budgets);
      const [, , short = 0] = await waits(test, name, name, name);
      assert.ok(short > 0 && short <= 1250, `${short} ms`);
      await test.advance(1250);
      const [admitted, long = 0] = await waits(test, name, name);
      assert.equal(admitted, 0);
      assert.ok(long > 3_500_000, `${long} ms`);
    });

    it('return the remaining calls without counting one', async () => {
      const [budgets, name = ''] = newBudget([{ limit: 2, windowSeconds: 60 }]);
      const test = create(budgets);
      for (const remaining of [2, 1, 0]) {
        for (const budgetsOfOne of [test.ours, test.theirs]) {
          const state = await budgetsOfOne.state(name);
          assert.deepEqual(state, [{ limit: 2, windowSeconds: 60, remaining }]);
        }
        await waits(test, name);
      }
    });

    it('do not apply to an upstream without a budget', async () => {
      const test = create(new Map());
      assert.deepEqual(await waits(test, ...Array<string>(50).fill('free')), Array(50).fill(0));
      assert.deepEqual(await test.ours.state('free'), []);
    });
  });
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Admission, Breakers } from '../../src/upstream/breakers.js';
import type { Budget, Budgets } from '../../src/upstream/budgets.js';

export interface BudgetsUnderTest {
  /** As two processes would hold them; an adapter of one process gives the same twice. */
  ours: Breakers;
  theirs: Breakers;
  /** Lets so much time pass. */
  advance: (ms: number) => Promise<void>;
}

let names = 0;
/** A budget that no other test uses, by the upstreams that share it. */
export function newBudget(
  windows: Budget['windows'],
  more: { atOnce?: number; sharers?: number } = {},
): { upstreams: [string, ...string[]]; budgets: Budgets } {
  const { sharers = 1, ...rest } = more;
  const name = `budget-${(names += 1)}`;
  const budget = { name, windows, ...rest };
  const [first = name, ...others] = Array.from({ length: sharers }, (_, n) => `${name}-of-${n}`);
  const upstreams: [string, ...string[]] = [first, ...others];
  return { upstreams, budgets: new Map(upstreams.map((upstream) => [upstream, budget])) };
}

/** Begins a call, which must be admitted. */
export async function begin(breakers: Breakers, name: string): Promise<string> {
  const admission = await breakers.acquire(name);
  assert.ok(admission.allowed && admission.call !== undefined, JSON.stringify(admission));
  return admission.call;
}

/** Asks for a call, which must not fit. */
export async function refused(breakers: Breakers, name: string) {
  const admission: Admission = await breakers.acquire(name);
  assert.ok(!admission.allowed && admission.reason === 'budget', JSON.stringify(admission));
  return admission;
}

/** What every adapter does with budgets. A window is a second: time passes for real in some. */
export function budgetsContract(
  adapter: string,
  create: (budgets: Budgets) => BudgetsUnderTest,
): void {
  const setUp = (limit: number, more = {}) => {
    const { upstreams, budgets } = newBudget([{ limit, windowSeconds: 1 }], more);
    return { ...create(budgets), upstreams, name: upstreams[0] };
  };

  describe(`budgets: ${adapter}`, () => {
    it('admits so many calls of all processes together, and refuses the next one', async () => {
      const { ours, theirs, name } = setUp(3);
      for (const breakers of [ours, theirs, ours]) await begin(breakers, name);
      const { retryAfterMs, change } = await refused(theirs, name);
      assert.ok(retryAfterMs > 0 && retryAfterMs <= 1000, `${retryAfterMs} ms`);
      assert.equal(change?.change, 'spent');
    });

    it('counts a call while it is under way, and for a window after its end', async () => {
      const { ours, theirs, name, advance } = setUp(1);
      const call = await begin(ours, name);
      await advance(1500);
      await refused(theirs, name);
      await ours.succeeded(name, call);
      await refused(theirs, name);
      await advance(1100);
      await begin(theirs, name);
    });

    it('counts calls however they end, each once', async () => {
      const { ours, theirs, name } = setUp(4);
      const call = await begin(ours, name);
      await ours.succeeded(name, call);
      await ours.failed(name, {}, await begin(ours, name));
      await ours.abandoned(name, await begin(ours, name));
      await begin(theirs, name);
      await refused(ours, name);
    });

    it('tells once that it is spent, and once that it is free again', async () => {
      const { ours, theirs, name, advance } = setUp(2);
      for (const breakers of [ours, theirs]) {
        await breakers.succeeded(name, await begin(breakers, name));
      }
      const spent = await Promise.all([refused(ours, name), refused(theirs, name)]);
      assert.equal(spent.filter(({ change }) => change?.change === 'spent').length, 1);
      await advance(2000);
      const changes = [];
      for (const breakers of [ours, theirs]) changes.push((await breakers.acquire(name)).change);
      assert.deepEqual(
        changes.map((change) => change?.change),
        ['free', undefined],
      );
    });

    it('is one for all upstreams that share it', async () => {
      const { ours, theirs, upstreams } = setUp(2, { sharers: 2 });
      const [one, other = ''] = upstreams;
      await begin(ours, one);
      await begin(theirs, other);
      await refused(ours, other);
      await refused(theirs, one);
    });

    it('keeps the breakers of those apart', async () => {
      const { ours, theirs, upstreams } = setUp(9, { sharers: 2 });
      const [one, other = ''] = upstreams;
      await ours.failed(one, { retryAfterMs: 60_000 }, await begin(ours, one));
      const admission = await theirs.acquire(one);
      assert.ok(!admission.allowed && admission.reason === 'breaker');
      await begin(theirs, other);
    });

    it('counts no call that the breaker refuses', async () => {
      const { ours, theirs, name } = setUp(2);
      await ours.failed(name, { retryAfterMs: 60_000 }, await begin(ours, name));
      for (let question = 0; question < 5; question += 1) await theirs.acquire(name);
      assert.deepEqual(await ours.left(name), [{ limit: 2, windowSeconds: 1, left: 1 }]);
    });

    it('lets so many calls be under way at once', async () => {
      const { ours, theirs, name } = setUp(100, { atOnce: 2 });
      const call = await begin(ours, name);
      await begin(theirs, name);
      await refused(ours, name);
      await ours.succeeded(name, call);
      await begin(ours, name);
    });

    it('holds in every one of its windows', async () => {
      const { upstreams, budgets } = newBudget([
        { limit: 2, windowSeconds: 1 },
        { limit: 3, windowSeconds: 3600 },
      ]);
      const { ours, theirs, advance } = create(budgets);
      const [name] = upstreams;
      for (const breakers of [ours, theirs]) {
        await breakers.succeeded(name, await begin(breakers, name));
      }
      await refused(ours, name);
      await advance(1500);
      await begin(ours, name);
      const { retryAfterMs } = await refused(theirs, name);
      assert.ok(retryAfterMs > 3_500_000, `${retryAfterMs} ms`);
    });

    it('says what is left, and changes nothing by that', async () => {
      const { ours, theirs, name } = setUp(2);
      for (let question = 0; question < 5; question += 1) {
        assert.equal((await theirs.look(name)).allowed, true);
        assert.equal((await theirs.left(name))[0]?.left, 2);
      }
      await begin(ours, name);
      assert.equal((await theirs.left(name))[0]?.left, 1);
      await begin(ours, name);
      assert.equal((await theirs.left(name))[0]?.left, 0);
      assert.equal((await theirs.look(name)).allowed, false);
    });

    it('does not hold for an upstream that has none', async () => {
      const { ours } = create(new Map());
      for (let call = 0; call < 50; call += 1) {
        assert.deepEqual(await ours.acquire('free'), { allowed: true, probe: false });
      }
      assert.deepEqual(await ours.left('free'), []);
    });
  });
}

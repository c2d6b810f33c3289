/**
 * What every limiter keeps, whatever its windows lie on: a request counts in the client's own window
 * and in the total, or in neither. `limiter.test.ts` calls it once for memory, for one Redis and for
 * two nodes of Redis.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Limiter } from '../../src/limits/limiters.js';
import type { Verdict } from '../../src/limits/sliding-window.js';
import { scope } from '../support/scope.js';
import { assertWithin } from './sliding-window.contract.js';

export interface LimitOf {
  limit: number;
  windowSeconds: number;
}

export interface LimiterBench {
  /** Limiters of several processes over the same windows, which have counted nothing. */
  open(processes: number, own: LimitOf, total: LimitOf): Limiter[];
  /** Lets at least so many milliseconds pass on the clock of the windows. */
  pass(ms: number): Promise<void>;
  /** Whether its windows are shared: else each process counts for itself. */
  readonly shared: boolean;
}

/** Longer than any test takes. */
const LONG_S = 3600;

async function times(limiter: Limiter, client: string, n: number): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (let i = 0; i < n; i += 1) verdicts.push(await limiter(client, scope()));
  return verdicts;
}

const refusals = (verdicts: Verdict[]) => verdicts.map(({ refusedBy }) => refusedBy);

export function limiterContract(adapter: string, bench: () => LimiterBench): void {
  const openOne = (own: LimitOf, total: LimitOf) => bench().open(1, own, total)[0]!;
  const long = (limit: number): LimitOf => ({ limit, windowSeconds: LONG_S });

  describe(`limiter over ${adapter}`, () => {
    it('tells both windows of an admitted request', async () => {
      const limiter = openOne({ limit: 2, windowSeconds: 60 }, long(10));
      assert.deepEqual(await limiter('a', scope()), {
        own: { limit: 2, remaining: 1, resetMs: 60_000 },
        total: { limit: 10, remaining: 9, resetMs: LONG_S * 1000 },
      });
      const { own, total } = await limiter('b', scope());
      assert.deepEqual([own?.remaining, total?.remaining], [1, 8]);
    });

    it('tells the window that refused, and its wait', async () => {
      const limiter = openOne({ limit: 1, windowSeconds: 60 }, long(2));
      await times(limiter, 'a', 1);
      const byOwn = await limiter('a', scope());
      assert.deepEqual([byOwn.refusedBy, byOwn.own?.limit, byOwn.own?.remaining], ['own', 1, 0]);
      assertWithin(byOwn.own?.resetMs ?? 0, 1, 60_000);
      await times(limiter, 'b', 1);
      const byTotal = await limiter('c', scope());
      assert.deepEqual([byTotal.refusedBy, byTotal.own], ['total', undefined]);
      assert.deepEqual([byTotal.total?.limit, byTotal.total?.remaining], [2, 0]);
      assertWithin(byTotal.total?.resetMs ?? 0, 60_001, LONG_S * 1000);
    });

    it('does not use up the total by what the own window refuses', async () => {
      const limiter = openOne(long(2), long(5));
      assert.deepEqual(refusals(await times(limiter, 'a', 6)).filter(Boolean).length, 4);
      assert.deepEqual(refusals(await times(limiter, 'b', 2)), [undefined, undefined]);
      assert.equal((await limiter('c', scope())).total?.remaining, 0);
    });

    it('does not use up the own window by what the total refuses', async () => {
      const limiter = openOne(long(2), { limit: 1, windowSeconds: 1 });
      await times(limiter, 'a', 1);
      const refused = await times(limiter, 'b', 5);
      if (refused.every(({ refusedBy }) => refusedBy === 'total')) {
        await bench().pass(refused.at(-1)?.total?.resetMs ?? 0);
        assert.equal((await limiter('b', scope())).own?.remaining, 1);
      }
    });

    it('admits exactly the limit of many at once, from several processes', async () => {
      const processes = bench().shared ? 3 : 1;
      const limiters = bench().open(processes, long(10), long(25));
      const verdicts = await Promise.all(
        Array.from({ length: 120 }, async (_, i) => limiters[i % processes]!(`c${i % 4}`, scope())),
      );
      const admitted = verdicts.filter(({ refusedBy }) => refusedBy === undefined);
      // On two nodes a refused request may hold a place for a moment, so that fewer are admitted.
      assertWithin(admitted.length, adapter.includes('two nodes') ? 1 : 25, 25);
      for (let client = 0; client < 4; client += 1) {
        const own = verdicts.filter((v, i) => i % 4 === client && v.refusedBy === undefined);
        assertWithin(own.length, 0, 10);
      }
    });

    it('admits a client that waits until the reset of its own window or of the total', async () => {
      for (const [own, total] of [
        [{ limit: 2, windowSeconds: 1 }, long(100)],
        [long(100), { limit: 2, windowSeconds: 1 }],
      ] as const) {
        const limiter = openOne(own, total);
        let refused: Verdict = {};
        for (let i = 0; i < 200 && !refused.refusedBy; i += 1)
          refused = await limiter('a', scope());
        for (let i = 0; i < 5; i += 1) await limiter('a', scope());
        const { resetMs } = (await limiter('a', scope()))[refused.refusedBy ?? 'own']!;
        assertWithin(resetMs, 1, 1000);
        await bench().pass(resetMs);
        assert.equal((await limiter('a', scope())).refusedBy, undefined);
      }
    });
  });
}

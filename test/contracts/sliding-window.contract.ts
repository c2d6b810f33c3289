/**
 * The contract of sliding windows, for any adapter. `sliding-window.test.ts` runs it once for each. No test
 * depends on the time between two lines: either no admission expires during the test, or the test reads
 * from the replies which have expired.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Windows, WindowState } from '../../src/limits/rate-limit-window.js';
import { assertWithin } from '../support/assert-within.js';

/** The decision of a single window about one request. */
export type Decided = WindowState & { admitted: boolean };

/** One window for each key. */
export interface WindowUnderTest {
  readonly limit: number;
  count(key: string): Promise<Decided>;
  look(key: string): Promise<Decided>;
  /** The same windows with another limit. */
  withLimit(limit: number): WindowUnderTest;
}

/** Windows of one limit, each counted alone. */
export function windowOf(windows: Windows, limit: number, windowMs: number): WindowUnderTest {
  async function ask(key: string, cost: 0 | 1): Promise<Decided> {
    const window = { key: `{${key}}`, limit, windowMs, perProcessLimit: limit };
    const { rejectedBy, states } = await windows.count([window], cost);
    return { admitted: rejectedBy === undefined, ...states[0]! };
  }
  return {
    limit,
    count: (key) => ask(key, 1),
    look: (key) => ask(key, 0),
    withLimit: (other) => windowOf(windows, other, windowMs),
  };
}

export interface SlidingWindowBench {
  /** An empty window with its own keys. */
  open(limit: number, windowMs: number): WindowUnderTest;
  /** Advances the clock of the window by at least this time. */
  pass(ms: number): Promise<void>;
}

/** Longer than any test takes. */
const LONG_MS = 3_600_000;

async function countAll(window: WindowUnderTest, key: string, times: number) {
  return Promise.all(Array.from({ length: times }, async () => window.count(key)));
}

const admittedOf = (states: Decided[]) => states.filter((state) => state.admitted);

/** Fills the window until it rejects a request, even if admissions expire meanwhile. */
async function untilRejected(window: WindowUnderTest, key: string): Promise<Decided> {
  for (let round = 0; round < 50; round += 1) {
    const states = await countAll(window, key, window.limit + 1);
    const rejected = states.findLast((state) => !state.admitted);
    if (rejected) return rejected;
  }
  return assert.fail('never rejected');
}

export function slidingWindowContract(adapter: string, bench: () => SlidingWindowBench): void {
  describe(`sliding window in ${adapter}`, () => {
    it('admits exactly the limit of concurrent requests', async () => {
      for (const limit of [40, 1300]) {
        const window = bench().open(limit, LONG_MS);
        const admitted = admittedOf(await countAll(window, 'a', limit + 160));
        assert.equal(admitted.length, limit);
        assert.equal(new Set(admitted.map((state) => state.remaining)).size, limit);
      }
    });

    it('admits a request after the reported wait if the limit was lowered', async () => {
      for (const [before, after] of [
        [3, 1],
        [40, 39],
        [600, 7],
      ] as const) {
        const earlier = bench().open(before, LONG_MS);
        for (let n = 0; n < before; n += 1) {
          await earlier.count('a');
          if (n < 8 || n > before - 8) await bench().pass(1000);
        }
        const window = earlier.withLimit(after);
        const { admitted, remaining, resetMs } = await window.count('a');
        assert.deepEqual([admitted, remaining], [false, 0]);
        const seen = await window.look('a');
        assert.deepEqual([seen.admitted, seen.remaining], [true, 0]);
        await bench().pass(resetMs - 999);
        assert.equal((await window.count('a')).admitted, false);
        await bench().pass(999);
        assert.equal((await window.count('a')).admitted, true);
        assert.equal((await window.count('a')).admitted, false);
      }
    });

    it('reports when the oldest admission expires, and then admits a request', async () => {
      for (const limit of [2, 600, 1700]) {
        const window = bench().open(limit, 1000);
        const first = await window.count('a');
        assert.equal(first.resetMs, 1000);
        for (let round = 0; round < 3; round += 1) {
          const rejected = await untilRejected(window, 'a');
          assert.equal(rejected.resetMs % 1, 0);
          assertWithin(rejected.resetMs, 1, 1000);
          await bench().pass(rejected.resetMs);
          assert.equal((await window.count('a')).admitted, true);
        }
      }
    });
  });
}

/**
 * What every adapter of `SlidingWindow` keeps. A contract is a function of the adapter's name and of
 * a bench that makes fresh instances; `sliding-window.test.ts` calls it once per adapter. Nothing
 * here knows which adapter it tests, and nothing breaks when time passes between two lines: windows
 * are either so long that nothing leaves, or the test reads from the answers what has left.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Counted, LocalWindow, SlidingWindow } from '../../src/limits/sliding-window.js';

/** Either kind of window; its answers are awaited. */
export type AnyWindow = SlidingWindow | LocalWindow;

export interface SlidingWindowBench {
  /** A window that has counted nothing, on keys of its own. */
  open(limit: number, windowSeconds: number): AnyWindow;
  /** Lets at least so many ms pass on the clock of the window. */
  pass(ms: number): Promise<void>;
  /** The length of `countedAt`'s unit. */
  readonly unitsPerMs: number;
  /** How many random schedules of some seconds each to try. */
  readonly schedules: number;
}

/** Longer than any test takes. */
const LONG_S = 3600;

async function consumeAll(window: AnyWindow, key: string, times: number) {
  return Promise.all(Array.from({ length: times }, async () => window.consume(key)));
}

const admittedOf = (states: Counted[]) => states.filter((state) => state.admitted);

/** Fills the window until it refuses, even when places become free meanwhile. */
async function untilRefused(window: AnyWindow, key: string): Promise<Counted> {
  for (let round = 0; round < 50; round += 1) {
    const states = await consumeAll(window, key, window.limit + 1);
    const refused = states.findLast((state) => !state.admitted);
    if (refused) return refused;
  }
  return assert.fail('never refused');
}

/** Fails with the number itself: for a bare condition the runner would have to parse the source. */
export function assertWithin(value: number, low: number, high: number): void {
  assert.ok(value >= low && value <= high, `${value} is not within ${low} to ${high}`);
}

/** Any `limit + 1` admissions in a row span at least the window. */
function assertNeverMore(instants: number[], limit: number, windowLength: number): void {
  const sorted = instants.toSorted((a, b) => a - b);
  for (let i = 0; i + limit < sorted.length; i += 1) {
    assertWithin(sorted[i + limit]! - sorted[i]!, windowLength, Infinity);
  }
}

export function slidingWindowContract(adapter: string, bench: () => SlidingWindowBench): void {
  describe(`sliding window in ${adapter}`, () => {
    it('admits exactly the limit and refuses the next', async () => {
      const window = bench().open(3, LONG_S);
      const seen: [boolean, number][] = [];
      for (let i = 0; i < 5; i += 1) {
        const { admitted, remaining, limit } = await window.consume('a');
        assert.equal(limit, 3);
        seen.push([admitted, remaining]);
      }
      assert.deepEqual(seen, [
        [true, 2],
        [true, 1],
        [true, 0],
        [false, 0],
        [false, 0],
      ]);
    });

    it('admits exactly the limit of five times as many at once', async () => {
      const window = bench().open(40, LONG_S);
      const admitted = admittedOf(await consumeAll(window, 'a', 200));
      assert.equal(admitted.length, 40);
      assert.equal(new Set(admitted.map((state) => state.remaining)).size, 40);
    });

    it('counts each key by itself', async () => {
      const window = bench().open(1, LONG_S);
      assert.equal((await window.consume('a')).admitted, true);
      assert.equal((await window.consume('b')).admitted, true);
      assert.equal((await window.consume('2001:db8:0:1::/64')).admitted, true);
      assert.equal((await window.consume('a')).admitted, false);
    });

    it('says when the oldest leaves, and who waits until then is admitted', async () => {
      const window = bench().open(2, 1);
      const first = await window.consume('a');
      assert.equal(first.resetMs, 1000);
      for (let round = 0; round < 2; round += 1) {
        const refused = await untilRefused(window, 'a');
        assert.equal(refused.resetMs % 1, 0);
        assertWithin(refused.resetMs, 1, 1000);
        await bench().pass(refused.resetMs);
        assert.equal((await window.consume('a')).admitted, true);
      }
    });

    it('does not count what it refuses', async () => {
      const window = bench().open(1, 1);
      let refused = await untilRefused(window, 'a');
      // Knocking all the time does not put off the end of the wait.
      for (let i = 0; i < 5; i += 1) {
        await bench().pass(Math.floor(refused.resetMs / 5));
        const again = await window.consume('a');
        if (again.admitted) return;
        assertWithin(again.resetMs, 1, refused.resetMs);
        refused = again;
      }
      await bench().pass(refused.resetMs);
      assert.equal((await window.consume('a')).admitted, true);
    });

    it('takes back one admission', async () => {
      const window = bench().open(2, LONG_S);
      const [one, two] = [await window.consume('a'), await window.consume('a')];
      for (const admitted of [two, one]) {
        assert.equal((await window.consume('a')).admitted, false);
        await window.refund('a', admitted);
        assert.equal((await window.consume('a')).remaining, 0);
      }
      assert.equal((await window.consume('a')).admitted, false);
    });

    it('takes back nothing for a refused request, another key or an unknown instant', async () => {
      const window = bench().open(1, LONG_S);
      const admitted = await window.consume('a');
      const refused = await window.consume('a');
      await window.refund('a', refused);
      await window.refund('b', admitted);
      await window.refund('a', { ...admitted, countedAt: admitted.countedAt + 1 });
      assert.equal((await window.consume('a')).admitted, false);
      assert.equal((await window.consume('b')).admitted, true);
    });

    it('keeps the other admissions where they were when it takes one back', async () => {
      const { unitsPerMs } = bench();
      const window = bench().open(3, LONG_S);
      const states: Counted[] = [];
      for (let i = 0; i < 3; i += 1) {
        states.push(await window.consume('a'));
        await bench().pass(20);
      }
      const [oldest, middle, youngest] = states;
      const leaves = ({ countedAt, resetMs }: Counted) => countedAt / unitsPerMs + resetMs;
      const assertLeavesWith = (state: Counted, first: Counted) => {
        const due = first.countedAt / unitsPerMs + LONG_S * 1000;
        assertWithin(leaves(state), due - 1, due + 1);
      };
      await window.refund('a', middle!);
      assertLeavesWith(await window.consume('a'), oldest!);
      await window.refund('a', oldest!);
      assertLeavesWith(await window.consume('a'), youngest!);
    });

    it('can be emptied by refunds and be filled again', async () => {
      const window = bench().open(2, LONG_S);
      for (let i = 0; i < 3; i += 1) {
        const states = await consumeAll(window, 'a', 2);
        assert.equal(admittedOf(states).length, 2);
        for (const state of states) await window.refund('a', state);
      }
      assert.equal((await window.consume('a')).remaining, 1);
    });

    it('keeps a limit of thousands exactly, and takes back from it', async () => {
      const window = bench().open(2000, LONG_S);
      const states = await consumeAll(window, 'a', 2100);
      assert.equal(admittedOf(states).length, 2000);
      for (const state of states.slice(10, 20)) await window.refund('a', state);
      assert.equal(admittedOf(await consumeAll(window, 'a', 20)).length, 10);
    });

    it('never tells a wait that is too short when instants are rounded', async () => {
      const window = bench().open(600, 1);
      for (let round = 0; round < 3; round += 1) {
        await consumeAll(window, 'a', 600);
        const refused = await untilRefused(window, 'a');
        await bench().pass(refused.resetMs);
        assert.equal((await window.consume('a')).admitted, true);
      }
    });

    it('never admits more than the limit in any window, whatever the rhythm', async () => {
      const step = fc.record({
        pause: fc.constantFrom(0, 1, 3, 90, 450, 985, 1000),
        burst: fc.integer({ min: 1, max: 9 }),
        back: fc.integer({ min: 0, max: 2 }),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(1, 2, 5, 501),
          fc.array(step, { minLength: 2, maxLength: 6 }),
          async (limit, steps) => {
            const window = bench().open(limit, 1);
            const kept: Counted[] = [];
            // A limit of hundreds is brought to its edge by bursts of hundreds.
            const scale = limit > 9 ? 100 : 1;
            for (const { pause, burst, back } of steps) {
              await bench().pass(pause);
              const admitted = admittedOf(await consumeAll(window, 'a', burst * scale));
              for (const state of admitted.splice(0, back)) await window.refund('a', state);
              kept.push(...admitted);
            }
            const instants = kept.map((state) => state.countedAt / bench().unitsPerMs);
            assertNeverMore(instants, limit, 1000);
          },
        ),
        // Shrinking would run for minutes where the clock is real.
        { numRuns: bench().schedules, endOnFailure: true },
      );
    });
  });
}

/**
 * The contract of sliding windows, for any adapter. No test depends on the time between two lines:
 * either no admission expires during the test, or it reads from the replies which have expired.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cost, Window, Windows, WindowState } from '../../src/limits/rate-limit-window.js';
import { assertWithin } from '../support/assert-within.js';
import { fc } from '../support/properties.js';

/** The decision of a single window about one request. */
type Decided = WindowState & { admitted: boolean };

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
  /** Empty windows with their own keys, as each of some processes uses them. */
  open(): Windows[];
  /** Advances the clock of the windows by at least this time. */
  pass(ms: number): Promise<void>;
}

/** Longer than any test takes. */
const LONG_MS = 3_600_000;

/** Percents of a window that pass before a batch. No sum of them is just below a hundred. */
const BATCHES = fc.array(
  fc.record({
    pause: fc.constantFrom(0, 0, 30, 45, 100, 200),
    clients: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 64 }),
    process: fc.nat(2),
    /** 0: the windows are only read. */
    cost: fc.constantFrom(1, 1, 1, 0),
  }),
  { minLength: 1, maxLength: 12 },
);
const LIMITS = fc.record({
  own: fc.integer({ min: 1, max: 30 }),
  total: fc.integer({ min: 1, max: 90 }),
});

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

/** Decides one request after the other, with a log of all admissions. Times are window percents. */
function createModel({ own, total }: { own: number; total: number }) {
  const admissions: { client: string; at: number }[] = [];
  return (client: string, cost: number, now: number) => {
    const all = admissions.filter(({ at }) => now - at < 100);
    const mine = all.filter((admission) => admission.client === client);
    const left = [own - mine.length, total - all.length];
    const rejecting = left.findIndex((remaining) => remaining < cost);
    const counted = rejecting === -1 ? cost : 0;
    if (counted) admissions.push({ client, at: now });
    const states = [mine, all].map((inWindow, i) => {
      const oldest = inWindow[0]?.at ?? now;
      return {
        remaining: Math.max(0, left[i]! - counted),
        reset: inWindow.length + counted === 0 ? 0 : 100 - (now - oldest),
      };
    });
    return { rejectedBy: rejecting === -1 ? undefined : rejecting, states };
  };
}

export function slidingWindowContract(adapter: string, bench: SlidingWindowBench): void {
  const pass = (ms: number) => bench.pass(ms);
  const open = (limit: number, windowMs: number) => windowOf(bench.open()[0]!, limit, windowMs);

  describe(`sliding window in ${adapter}`, () => {
    it('decides batches of several processes as one request after the other would be', async () => {
      const property = fc.asyncProperty(LIMITS, BATCHES, async ({ own, total }, sent) => {
        const model = createModel({ own, total });
        const processes = bench.open();
        const windowOf = (name: string, limit: number): Window => ({
          ...{ key: `{all}:${name}`, limit, windowMs: LONG_MS, perProcessLimit: 1 },
        });
        let now = 0;
        for (const { pause, clients, process, cost } of sent) {
          now += pause;
          await pass((pause / 100) * LONG_MS);
          const decisions = await Promise.all(
            clients.map(async (client) => {
              const windows = [windowOf(`own-${client}`, own), windowOf('total', total)];
              return processes[process % processes.length]!.count(windows, cost);
            }),
          );
          for (const [i, { rejectedBy, states }] of decisions.entries()) {
            const expected = model(clients[i]!, cost, now);
            assert.equal(rejectedBy, expected.rejectedBy, `request ${i}`);
            for (const [w, { remaining, reset }] of expected.states.entries()) {
              assert.equal(states[w]?.remaining, remaining, `request ${i}, window ${w}`);
              const actual = (states[w].resetMs / LONG_MS) * 100;
              assert.ok(Math.abs(actual - reset) < 2, `${actual} is not ${reset}`);
            }
          }
        }
      });
      await fc.assert(property, { endOnFailure: true });
    });

    it('admits exactly the limit of concurrent requests', async () => {
      for (const limit of [40, 1300]) {
        const window = open(limit, LONG_MS);
        const admitted = admittedOf(await countAll(window, 'a', limit + 160));
        assert.equal(admitted.length, limit);
        assert.equal(new Set(admitted.map((state) => state.remaining)).size, limit);
      }
    });

    it('removes the newest requests, also several at a time, and at most all', async () => {
      const [process] = bench.open();
      const windows = ['{all}:a', '{all}:b'].map((key) => ({
        ...{ key, limit: 5, windowMs: LONG_MS, perProcessLimit: 5 },
      }));
      const send = (cost: Cost, times: number) =>
        Promise.all(Array.from({ length: times }, async () => process!.count(windows, cost)));
      await send(1, 1);
      await pass(1000);
      await send(1, 4);
      await send(-1, 3);
      const [left] = await send(0, 1);
      assert.deepEqual(
        left?.states.map((state) => state?.remaining),
        [3, 3],
      );
      // The oldest request has remained.
      assertWithin(left.states[0]?.resetMs ?? 0, 1, LONG_MS - 1000);
      await send(-1, 4);
      const [empty] = await send(0, 1);
      assert.deepEqual(
        empty?.states.map((state) => [state?.remaining, state?.resetMs]),
        [
          [5, 0],
          [5, 0],
        ],
      );
    });

    it('admits a request after the reported wait if the limit was lowered', async () => {
      for (const [before, after] of [
        [3, 1],
        [40, 39],
        [600, 7],
      ] as const) {
        const earlier = open(before, LONG_MS);
        for (let n = 0; n < before; n += 1) {
          await earlier.count('a');
          if (n < 8 || n > before - 8) await pass(1000);
        }
        const window = earlier.withLimit(after);
        const { admitted, remaining, resetMs } = await window.count('a');
        assert.deepEqual([admitted, remaining], [false, 0]);
        const seen = await window.look('a');
        assert.deepEqual([seen.admitted, seen.remaining], [true, 0]);
        await pass(resetMs - 999);
        assert.equal((await window.count('a')).admitted, false);
        await pass(999);
        assert.equal((await window.count('a')).admitted, true);
        assert.equal((await window.count('a')).admitted, false);
      }
    });

    it('reports when the oldest admission expires, and then admits a request', async () => {
      for (const limit of [2, 600, 1700]) {
        const window = open(limit, 1000);
        const first = await window.count('a');
        assert.equal(first.resetMs, 1000);
        for (let round = 0; round < 3; round += 1) {
          const rejected = await untilRejected(window, 'a');
          assert.equal(rejected.resetMs % 1, 0);
          assertWithin(rejected.resetMs, 1, 1000);
          await pass(rejected.resetMs);
          assert.equal((await window.count('a')).admitted, true);
        }
      }
    });
  });
}

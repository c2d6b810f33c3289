import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Window } from '../../src/limits/rate-limit-window.js';
import { createNames } from '../../src/redis/names.js';
import { createRedisWindows } from '../../src/redis/redis-windows.js';
import { passInRedis } from '../support/limiters.js';
import { plainRedis } from '../support/plain-redis.js';
import { fc } from '../support/properties.js';
import { useRedis } from '../support/use-redis.js';

const REPLICAS = 3;
const HOUR_MS = 3_600_000;

/** Percents of a window that pass before a batch. No sum of them is a little less than a hundred. */
const batches = fc.array(
  fc.record({
    pause: fc.constantFrom(0, 0, 30, 45, 100, 200),
    clients: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 64 }),
    replica: fc.nat({ max: REPLICAS - 1 }),
    /** 0: the windows are only read. */
    cost: fc.constantFrom(1, 1, 1, 0),
  }),
  { minLength: 1, maxLength: 12 },
);
const limits = fc.record({
  own: fc.integer({ min: 1, max: 30 }),
  total: fc.integer({ min: 1, max: 90 }),
});

/** Decides one request after the other, with a log of all admissions. Times are percents of a window. */
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

describe('batches of one to sixty-four requests from several replicas', () => {
  const redis = useRedis();

  it('are decided as one request after the other would be', async () => {
    const property = fc.asyncProperty(limits, batches, async ({ own, total }, sent) => {
      const model = createModel({ own, total });
      const names = createNames(randomUUID(), 0);
      const replicas = Array.from({ length: REPLICAS }, () =>
        createRedisWindows(plainRedis(redis.client), names),
      );
      const windowOf = (name: string, limit: number): Window => ({
        ...{ key: `{all}:${name}`, limit, windowMs: HOUR_MS, perProcessLimit: 1 },
      });
      let now = 0;
      for (const { pause, clients, replica, cost } of sent) {
        now += pause;
        await passInRedis(redis.client, (pause / 100) * HOUR_MS);
        const decisions = await Promise.all(
          clients.map(async (client) => {
            const windows = [windowOf(`own-${client}`, own), windowOf('total', total)];
            return replicas[replica]!.count(windows, cost);
          }),
        );
        for (const [i, { rejectedBy, states }] of decisions.entries()) {
          const expected = model(clients[i]!, cost, now);
          assert.equal(rejectedBy, expected.rejectedBy, `request ${i}`);
          for (const [w, { remaining, reset }] of expected.states.entries()) {
            assert.equal(states[w]?.remaining, remaining, `request ${i}, window ${w}`);
            const actual = (states[w].resetMs / HOUR_MS) * 100;
            assert.ok(Math.abs(actual - reset) < 2, `${actual} is not ${reset}`);
          }
        }
      }
    });
    await fc.assert(property, { endOnFailure: true });
  });
});

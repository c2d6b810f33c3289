import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Reply, startLoad } from '../support/load.js';
import { placePath } from '../support/places.js';
import { startStack } from '../support/stack.js';

const LIMIT = 20;
const WINDOW_SECONDS = 2;

/** What each replica admits by itself when Redis gets no processor for a while: a third. */
const LOCAL_SHARE = Math.floor(LIMIT / 3);

/** The most admissions that surely fell into one window: sent after its begin, answered before its end. */
function mostInOneWindow(admitted: Reply[]): number {
  const counts = admitted.map(({ at: begin }) => {
    const end = begin + WINDOW_SECONDS * 1000;
    return admitted.filter(({ at, ms }) => at >= begin && at + ms < end).length;
  });
  return Math.max(...counts);
}

describe('a client that asks all replicas as fast as possible', () => {
  for (const [what, env] of [
    ['per address', { RATE_LIMIT_PER_IP: String(LIMIT), RATE_LIMIT_PER_IP_WINDOW_SECONDS: '2' }],
    ['in total', { RATE_LIMIT_TOTAL: String(LIMIT), RATE_LIMIT_TOTAL_WINDOW_SECONDS: '2' }],
  ] as const) {
    it(`gets no more than the limit ${what} in any window, and always some`, async (t) => {
      const stack = await startStack(t, {
        replicas: 3,
        workers: 1,
        env: { ...env, REPLICAS_HINT: '3' },
      });
      const load = startLoad(t, { clients: 12, next: () => stack.url(placePath(1)), pauseMs: 5 });
      await sleep(4 * WINDOW_SECONDS * 1000);
      const replies = await load.stop();
      const admitted = replies.filter(({ status }) => status === 200);
      assert.equal(replies.filter(({ status }) => status !== 200 && status !== 429).length, 0);
      // Exactly the limit while Redis answers; a busy machine can keep it from that for a moment.
      const degraded = stack.replicas.some((replica) => replica.of('redis_degraded').length > 0);
      const most = degraded ? LIMIT + 3 * LOCAL_SHARE : LIMIT;
      assert.ok(mostInOneWindow(admitted) <= most, `${mostInOneWindow(admitted)} in one window`);
      // What is refused does not count: each window's share is there again.
      assert.ok(admitted.length >= 2 * LIMIT, `${admitted.length} admitted`);
    });
  }
});

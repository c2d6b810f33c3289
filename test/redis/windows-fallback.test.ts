import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { StoreUnavailableError } from '../../src/base/errors.js';
import { withFallback } from '../../src/redis/windows-fallback.js';
import { createLimiter, type Limiter } from '../../src/limits/limiter.js';
import { createMemoryWindows } from '../../src/memory/memory-windows.js';
import { manualClock, type ManualClock } from '../support/manual-clock.js';

const unavailable = new StoreUnavailableError('gone');
const HOUR_S = 3600;

let clock: ManualClock;
/** The error of every call to the shared windows. */
let fault: Error | undefined;
beforeEach(() => {
  clock = manualClock();
  fault = undefined;
});

/** The limiter of one process. Its shared windows are in another memory, and may fail. */
function open(perIp: number, total: number, replicasHint = 1): Limiter {
  const bounds = { maxKeys: 100, maxInstants: 1e6 };
  const counting = createMemoryWindows({ clock, ...bounds });
  const windows = withFallback(
    { count: (...asked) => (fault ? Promise.reject(fault) : counting.count(...asked)) },
    createMemoryWindows({ clock, ...bounds }),
    clock,
    () => fault === undefined,
  );
  const limits = {
    perIp: { limit: perIp, windowSeconds: 60 },
    total: { limit: total, windowSeconds: HOUR_S },
    fetchesPerIp: { limit: 0, windowSeconds: HOUR_S },
    replicasHint,
  };
  return createLimiter('weather', limits, windows);
}

/** The number of admitted requests. */
async function admitted(limiter: Limiter, client: string, requests: number): Promise<number> {
  let count = 0;
  for (let i = 0; i < requests; i += 1) {
    if ((await limiter(client)).rejectedBy === undefined) count += 1;
  }
  return count;
}

describe('rate limits while Redis is unavailable', () => {
  it('begin at zero, with the limit per client IP in full', async () => {
    const limiter = open(30, 600, 12);
    assert.equal(await admitted(limiter, 'a', 15), 15);
    fault = unavailable;
    assert.equal(await admitted(limiter, 'a', 40), 30);
    assert.equal((await limiter('a')).rejectedBy, 'per_ip');
    assert.equal(await admitted(limiter, 'newcomer', 20), 20);
  });

  it('divide the total limit by the number of processes, and admit at least one request', async () => {
    fault = unavailable;
    for (const [total, replicasHint, share] of [
      [144, 12, 12],
      [150, 12, 12],
      [144, 1, 144],
      [1, 12, 1],
    ] as const) {
      const limiter = open(200, total, replicasHint);
      assert.equal(await admitted(limiter, 'a', 190), share, `${total} over ${replicasHint}`);
      const { rejectedBy, total: state } = await limiter('b');
      assert.deepEqual([rejectedBy, state?.limit], ['total', share]);
    }
  });

  it('report a wait of at most ten seconds to a rejected client, although the window is an hour', async () => {
    const limiter = open(30, 12, 12);
    fault = unavailable;
    assert.equal((await limiter('a')).total?.resetMs, HOUR_S * 1000, 'no rejection');
    const { rejectedBy, total } = await limiter('a');
    assert.deepEqual([rejectedBy, total], ['total', { limit: 1, remaining: 0, resetMs: 10_000 }]);
    clock.advance(HOUR_S * 1000 - 4000);
    assert.equal((await limiter('a')).total?.resetMs, 4000);
  });

  it('do not handle other errors', async () => {
    fault = new TypeError('a bug');
    await assert.rejects(async () => open(1, 1)('a'), /a bug/);
  });
});

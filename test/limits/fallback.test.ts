import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { StoreUnavailableError } from '../../src/errors.js';
import { withFallback } from '../../src/limits/fallback.js';
import { createLimiter, type Limiter } from '../../src/limits/limiter.js';
import { rememberingRefusals } from '../../src/limits/refusals.js';
import { createMemoryWindows } from '../../src/memory/windows.js';
import { manualClock, type ManualClock } from '../support/manual-clock.js';

const unavailable = new StoreUnavailableError('gone');
const HOUR_S = 3600;

let clock: ManualClock;
/** What every question to the shared windows fails with. */
let fault: Error | undefined;
beforeEach(() => {
  clock = manualClock();
  fault = undefined;
});

/** A limiter of one of so many processes. Its shared windows are another memory's, and may fail. */
function open(perIp: number, total: number, replicasHint = 1): Limiter {
  const bounds = { maxKeys: 100, maxInstants: 1e6 };
  const counting = createMemoryWindows({ clock, ...bounds });
  const shared = rememberingRefusals(
    { count: (...asked) => (fault ? Promise.reject(fault) : counting.count(...asked)) },
    { clock, maxRefusals: 100 },
  );
  const windows = withFallback(shared, createMemoryWindows({ clock, ...bounds }), clock);
  const limits = {
    perIp: { limit: perIp, windowSeconds: 60 },
    total: { limit: total, windowSeconds: HOUR_S },
    replicasHint,
  };
  return createLimiter('weather', limits, windows);
}

/** How many of so many requests are admitted. */
async function admitted(limiter: Limiter, client: string, requests: number): Promise<number> {
  let count = 0;
  for (let i = 0; i < requests; i += 1) {
    if ((await limiter(client)).refusedBy === undefined) count += 1;
  }
  return count;
}

/** From now on it has been away for longer than a hiccup lasts. */
async function isAway(limiter: Limiter): Promise<void> {
  fault = unavailable;
  await limiter('anybody');
  clock.advance(2000);
}

describe('limits whose store is unavailable', () => {
  it('begin at zero: who has used half of them is admitted', async () => {
    const limiter = open(30, 200, 12);
    assert.equal(await admitted(limiter, 'a', 15), 15);
    fault = unavailable;
    assert.equal(await admitted(limiter, 'a', 10), 10);
    assert.equal(await admitted(limiter, 'newcomer', 6), 6);
  });

  it('begin at zero again with the next time', async () => {
    const limiter = open(30, 200, 12);
    for (let hiccup = 0; hiccup < 5; hiccup += 1) {
      fault = unavailable;
      assert.equal(await admitted(limiter, 'a', 5), 5, String(hiccup));
      fault = undefined;
      clock.advance(2000);
      assert.equal(await admitted(limiter, 'a', 1), 1);
    }
  });

  it('go on where it comes and goes: the shares are given once', async () => {
    const limiter = open(30, 200, 12);
    let alone = 0;
    for (let n = 0; n < 5; n += 1) {
      fault = unavailable;
      alone += await admitted(limiter, 'a', 5);
      fault = undefined;
      clock.advance(300);
      assert.equal(await admitted(limiter, 'a', 1), 1);
    }
    assert.equal(alone, 10);
  });

  it('count in this process: an address a third at least, all together their share', async () => {
    const limiter = open(30, 144, 12);
    await isAway(limiter);
    assert.equal(await admitted(limiter, 'a', 30), 10);
    assert.equal(await admitted(limiter, 'b', 30), 1);
    assert.equal((await limiter('b')).refusedBy, 'total');
    assert.equal(await admitted(open(30, 144, 2), 'a', 30), 15);
    assert.equal(await admitted(open(1, 1, 12), 'a', 30), 1);
  });

  it('go on while a client is refused whom the store refused before', async () => {
    const limiter = open(5, 120, 12);
    assert.equal(await admitted(limiter, 'refused', 6), 5);
    await isAway(limiter);
    let alone = 1;
    for (let n = 0; n < 20; n += 1) {
      assert.equal((await limiter('refused')).refusedBy, 'per_ip');
      alone += await admitted(limiter, `client ${n}`, 1);
      clock.advance(2500);
    }
    assert.equal(alone, 10);
  });

  it('have a third of the total at first, for that may be a hiccup', async () => {
    const limiter = open(30, 150, 12);
    fault = unavailable;
    for (let client = 0; client < 50; client += 1) {
      assert.equal(await admitted(limiter, `newcomer ${client}`, 1), 1);
    }
    assert.equal((await limiter('one more')).refusedBy, 'total');
    clock.advance(2000);
    assert.equal((await limiter('one more')).total?.limit, 12);
  });

  it('tell a refused client to come back within ten seconds, though the window is an hour', async () => {
    const limiter = open(30, 12, 12);
    await isAway(limiter);
    const { refusedBy, total } = await limiter('a');
    assert.deepEqual([refusedBy, total], ['total', { limit: 1, remaining: 0, resetMs: 10_000 }]);
    clock.advance(HOUR_S * 1000 - 6000);
    assert.equal((await limiter('a')).total?.resetMs, 4000);
  });

  it('tell those who are admitted when the window really ends', async () => {
    fault = unavailable;
    assert.equal((await open(30, 12)('a')).total?.resetMs, HOUR_S * 1000);
  });

  it('ask the store again after a refusal of their own', async () => {
    const limiter = open(3, 200, 12);
    fault = unavailable;
    assert.equal(await admitted(limiter, 'a', 2), 1);
    fault = undefined;
    assert.equal(await admitted(limiter, 'a', 4), 3);
  });

  it('go on refusing what the store refused', async () => {
    const limiter = open(3, 200, 1);
    assert.equal(await admitted(limiter, 'a', 4), 3);
    fault = unavailable;
    assert.equal(await admitted(limiter, 'a', 1), 0);
  });

  it('let a fault through that is not an absence of the store', async () => {
    fault = new TypeError('a bug');
    await assert.rejects(open(1, 1)('a'), /a bug/);
  });
});

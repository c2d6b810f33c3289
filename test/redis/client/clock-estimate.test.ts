import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClockEstimate } from '../../../src/redis/client/clock-estimate.js';
import { manualClock } from '../../support/manual-clock.js';

const AHEAD_MS = 5_000_000;

/** An estimate for a Redis whose clock is `AHEAD_MS` ahead of that of this process. */
function setUp() {
  const clock = manualClock();
  const estimate = createClockEstimate(clock);
  let aheadMs = AHEAD_MS;
  /** Redis reads its clock between the two delays. */
  function observe(beforeMs: number, afterMs: number): void {
    const sentAt = clock.monotonic();
    clock.advance(beforeMs);
    const redisMs = clock.now() + aheadMs;
    clock.advance(afterMs);
    estimate.observe({ redisMs, sentAt, receivedAt: clock.monotonic() });
  }
  return {
    observe,
    advance: (ms: number) => {
      clock.advance(ms);
    },
    step: (ms: number) => {
      aheadMs += ms;
    },
    errorMs: () => estimate.now() - clock.now() - aheadMs,
    estimate,
    clock,
  };
}

describe('the estimate of the clock of Redis', () => {
  it('is the clock of the process before the first reply', () => {
    const { estimate, clock } = setUp();
    assert.equal(estimate.now(), clock.now());
  });

  it('is wrong by at most half of the delay of a reply', () => {
    const { observe, errorMs } = setUp();
    observe(1, 9);
    assert.ok(Math.abs(errorMs()) <= 5.01, `${errorMs()} ms`);
  });

  it('allows for a drift of 0.1 ms per second between two replies', () => {
    const { observe, advance, errorMs } = setUp();
    observe(5, 5);
    advance(9900);
    // The lower bound is 6 ms too low, and the upper bound is exact.
    observe(0, 100);
    assert.equal(errorMs(), -3);
  });

  it('improves with fast replies, and does not get worse with slow ones', () => {
    const { observe, errorMs } = setUp();
    observe(0, 40);
    observe(0.1, 0.1);
    for (let n = 0; n < 5; n += 1) {
      observe(0, 50);
      assert.ok(Math.abs(errorMs()) < 0.2, `${errorMs()} ms`);
    }
  });

  it('follows a clock that drifts', () => {
    const { observe, advance, step, errorMs } = setUp();
    for (let n = 0; n < 100; n += 1) {
      observe(0.2, 0.2);
      advance(1000);
      step(0.1);
      assert.ok(Math.abs(errorMs()) < 0.5, `${errorMs()} ms`);
    }
  });

  it('follows a clock that is set, in either direction, with the next reply', () => {
    const { observe, step, errorMs } = setUp();
    for (const ms of [60_000, -3_600_000, 5]) {
      observe(0.2, 0.2);
      step(ms);
      observe(0.2, 0.2);
      assert.ok(Math.abs(errorMs()) < 0.5, `${errorMs()} ms`);
    }
  });
});

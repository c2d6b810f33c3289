import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createBreaker, type Breaker } from '../../src/upstream/breaker.js';
import { manualClock, type ManualClock } from '../support/manual-clock.js';

const FAULT = 'server error';
const QUOTA = 'quota used up';

let clock: ManualClock;
let breaker: Breaker;
beforeEach(() => {
  clock = manualClock();
  breaker = createBreaker(clock);
});

function open(): void {
  for (let failure = 1; failure <= 3; failure += 1) breaker.failed(FAULT);
}

/** The probe after an open time, which fails or succeeds. */
function probe(outcome: 'failed' | 'succeeded'): void {
  assert.equal(breaker.refusesMs(), 0);
  assert.equal(breaker.begin(), true);
  if (outcome === 'failed') breaker.failed(FAULT);
  else breaker.succeeded();
  breaker.probeEnded();
}

describe('the breaker of an upstream', () => {
  it('refuses nothing while nothing fails', () => {
    assert.deepEqual([breaker.refusesMs(), breaker.begin()], [0, false]);
    assert.equal(breaker.succeeded(), false);
    assert.equal(breaker.refusesMs(), 0);
  });

  it('opens at the third failure in a row, and says so once', () => {
    assert.deepEqual([breaker.failed(FAULT), breaker.failed(FAULT)], [false, false]);
    assert.equal(breaker.refusesMs(), 0);
    assert.deepEqual([breaker.failed(FAULT), breaker.failed(FAULT)], [true, false]);
    assert.equal(breaker.refusesMs(), 5000);
  });

  it('counts only failures in a row', () => {
    breaker.failed(FAULT);
    breaker.failed(FAULT);
    breaker.succeeded();
    assert.deepEqual([breaker.failed(FAULT), breaker.failed(FAULT)], [false, false]);
    assert.equal(breaker.refusesMs(), 0);
  });

  it('admits one probe when the open time is over, and refuses while it is under way', () => {
    open();
    clock.advance(4999);
    assert.equal(breaker.refusesMs(), 1);
    clock.advance(1);
    assert.equal(breaker.refusesMs(), 0, 'the next call is the probe');
    assert.equal(breaker.begin(), true);
    clock.advance(60_000);
    assert.ok(breaker.refusesMs() > 0, 'the probe is under way');
    breaker.probeEnded();
    assert.equal(breaker.refusesMs(), 0, 'it was given up: the next call is the probe');
    probe('succeeded');
    assert.equal(breaker.begin(), false);
  });

  it('closes when the probe succeeds, and says so', () => {
    open();
    clock.advance(5000);
    breaker.begin();
    assert.equal(breaker.succeeded(), true);
    breaker.probeEnded();
    assert.deepEqual([breaker.refusesMs(), breaker.failed(FAULT)], [0, false]);
  });

  it('stays open longer after each failed probe, at most 30 s', () => {
    open();
    for (const openMs of [5000, 10_000, 20_000, 30_000, 30_000]) {
      assert.equal(breaker.refusesMs(), openMs);
      clock.advance(openMs);
      probe('failed');
    }
  });

  it('starts from the shortest open time again after it was closed', () => {
    open();
    clock.advance(5000);
    probe('failed');
    clock.advance(10_000);
    probe('succeeded');
    open();
    assert.equal(breaker.refusesMs(), 5000);
  });

  it('opens at once for a used-up quota, until its window ends', () => {
    assert.equal(breaker.failed(QUOTA, 3_600_000), true);
    clock.advance(3_599_999);
    assert.equal(breaker.refusesMs(), 1);
    clock.advance(1);
    probe('succeeded');
  });

  it('is not closed by a late success of a call from before the quota was used up', () => {
    breaker.failed(QUOTA, 3_600_000);
    assert.equal(breaker.succeeded(), false);
    assert.equal(breaker.refusesMs(), 3_600_000);
  });

  it('takes the longer of two quotas, and late failures change nothing else', () => {
    breaker.failed(QUOTA, 60_000);
    assert.deepEqual(
      [3_600_000, 1000, undefined].map((lastsMs) => breaker.failed(FAULT, lastsMs)),
      [false, false, false],
    );
    assert.equal(breaker.refusesMs(), 3_600_000);
  });

  it('keeps the failure that opened it, until it closes', () => {
    breaker.failed('first');
    breaker.failed('second');
    assert.equal(breaker.openedBy(), undefined);
    breaker.failed('third');
    breaker.failed('late');
    assert.equal(breaker.openedBy(), 'third');
    clock.advance(5000);
    breaker.begin();
    breaker.failed('of the probe');
    breaker.probeEnded();
    assert.equal(breaker.openedBy(), 'of the probe');
    breaker.failed(QUOTA, 60_000);
    assert.equal(breaker.openedBy(), QUOTA, 'a longer wait has a reason of its own');
    clock.advance(60_000);
    probe('succeeded');
    assert.equal(breaker.openedBy(), undefined);
  });
});

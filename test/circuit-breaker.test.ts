import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createCircuitBreaker, type CircuitBreaker } from '../src/circuit-breaker.js';
import { manualClock, type ManualClock } from './support/manual-clock.js';

const POLICY = { failuresToOpen: 3, firstOpenMs: 5000, maxOpenMs: 30_000 };
const FAULT = 'server error';
const QUOTA = 'quota used up';

let clock: ManualClock;
let breaker: CircuitBreaker;
beforeEach(() => {
  clock = manualClock();
  breaker = createCircuitBreaker({ policy: POLICY, clock });
});

function fail(namedMs?: number): boolean {
  return breaker.failed(breaker.startCall(), namedMs ? QUOTA : FAULT, namedMs);
}

function open(): void {
  for (let failure = 1; failure <= 3; failure += 1) fail();
}

function halfOpenCall(outcome: 'failed' | 'succeeded'): void {
  assert.deepEqual([breaker.state, breaker.rejectsForMs()], ['half-open', 0]);
  if (outcome === 'failed') fail();
  else breaker.succeeded(breaker.startCall());
}

describe('the circuit breaker', () => {
  it('allows all calls while fewer than three consecutive calls fail', () => {
    fail();
    fail();
    assert.equal(breaker.succeeded(breaker.startCall()), false);
    assert.deepEqual([fail(), fail()], [false, false]);
    assert.deepEqual([breaker.state, breaker.isClosed], ['closed', true]);
    assert.equal(breaker.rejectsForMs(), 0);
  });

  it('opens at the third consecutive failure, and reports that once', () => {
    fail();
    fail();
    const late = breaker.startCall();
    assert.equal(fail(), true);
    assert.equal(breaker.failed(late, FAULT), false);
    assert.deepEqual([breaker.state, breaker.isClosed], ['open', false]);
    assert.equal(breaker.rejectsForMs(), 5000);
  });

  it('allows one call at a time after the open time', () => {
    open();
    clock.advance(4999);
    assert.deepEqual([breaker.state, breaker.rejectsForMs()], ['open', 1]);
    clock.advance(1);
    assert.deepEqual([breaker.state, breaker.rejectsForMs()], ['half-open', 0]);
    const started = breaker.startCall();
    clock.advance(60_000);
    assert.deepEqual([started, breaker.state, breaker.isClosed], ['half-open', 'half-open', false]);
    assert.equal(breaker.rejectsForMs(), 1000);
    breaker.canceled(started);
    halfOpenCall('succeeded');
  });

  it('closes when the half-open call succeeds, reports that, and counts failures from zero', () => {
    open();
    clock.advance(5000);
    assert.equal(breaker.failed(breaker.startCall(), 'another fault'), false);
    assert.equal(breaker.lastFailure, 'another fault');
    clock.advance(10_000);
    assert.equal(breaker.succeeded(breaker.startCall()), true);
    assert.deepEqual([breaker.state, breaker.rejectsForMs()], ['closed', 0]);
    assert.equal(breaker.lastFailure, undefined);
    assert.deepEqual([fail(), fail(), fail()], [false, false, true]);
    assert.equal(breaker.rejectsForMs(), 5000);
  });

  it('doubles the open time after each failed half-open call, up to the maximum', () => {
    open();
    for (const openMs of [5000, 10_000, 20_000, 30_000, 30_000]) {
      assert.equal(breaker.rejectsForMs(), openMs);
      clock.advance(openMs);
      halfOpenCall('failed');
    }
  });

  it('opens at once, for the time that a failure names', () => {
    assert.equal(fail(3_600_000), true);
    clock.advance(3_599_999);
    assert.equal(breaker.rejectsForMs(), 1);
    clock.advance(1);
    halfOpenCall('failed');
    assert.equal(breaker.rejectsForMs(), 5000, 'a named time does not count as an open time');
  });

  it('ignores outcomes of calls that started before it opened', () => {
    const [failing, succeeding] = [breaker.startCall(), breaker.startCall()];
    open();
    clock.advance(5000);
    assert.equal(breaker.failed(failing, 'late'), false);
    assert.equal(breaker.succeeded(succeeding), false);
    assert.equal(breaker.lastFailure, FAULT);
    halfOpenCall('succeeded');
  });

  it('stays open for a longer time that a late failure names', () => {
    const late = [60_000, 3_600_000, 1000].map((namedMs) => ({
      started: breaker.startCall(),
      namedMs,
    }));
    open();
    for (const { started, namedMs } of late) {
      assert.equal(breaker.failed(started, QUOTA, namedMs), false);
    }
    assert.deepEqual([breaker.rejectsForMs(), breaker.lastFailure], [3_600_000, QUOTA]);
  });

  it('stays open if a late failure names a time while the half-open call is in flight', () => {
    const late = breaker.startCall();
    open();
    clock.advance(5000);
    const started = breaker.startCall();
    breaker.failed(late, QUOTA, 60_000);
    clock.advance(59_999);
    assert.equal(breaker.succeeded(started), false);
    assert.equal(breaker.rejectsForMs(), 1);
  });
});

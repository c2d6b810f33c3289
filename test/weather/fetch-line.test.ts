import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFetchLine } from '../../src/weather/fetch-line.js';
import { manualClock } from '../support/manual-clock.js';

function setUp() {
  const clock = manualClock();
  const line = createFetchLine({ clock, slots: 2, expectedPerSecond: 4 });
  const join = (count: number) => {
    for (let n = 0; n < count; n += 1) line.joined();
  };
  const within = (ms: number) => clock.monotonic() + ms;
  return { clock, line, join, within };
}

describe('the queue of fetches', () => {
  it('always has room for as many as run at the same time', () => {
    const { line, join, within } = setUp();
    join(1);
    assert.equal(line.hasRoom(within(1)), true);
    assert.equal(line.hasRoom(within(0)), false);
  });

  it('expects the given pace until it knows better', () => {
    const { line, join, within } = setUp();
    join(7);
    assert.equal(line.hasRoom(within(2000)), true);
    assert.equal(line.hasRoom(within(1999)), false);
    assert.equal(line.expectedMs(), 2000);
  });

  it('learns the pace while more wait than run', () => {
    const { line, join, within, clock } = setUp();
    join(20);
    // One a second: four times slower than expected.
    for (let n = 0; n < 5; n += 1) {
      clock.advance(1000);
      line.left();
    }
    assert.equal(line.hasRoom(within(20_000)), true);
    assert.equal(line.canServe(15, within(14_999)), false);
    assert.equal(line.canServe(15, within(15_000)), true);
  });

  it('does not take rare requests for slow fetches', () => {
    const { line, within, clock } = setUp();
    for (let n = 0; n < 8; n += 1) {
      line.joined();
      clock.advance(1000);
      line.left();
    }
    assert.equal(line.canServe(8, within(2000)), true);
  });

  it('counts no fetch that was given up', () => {
    const { line, join, within, clock } = setUp();
    join(10);
    for (let n = 0; n < 6; n += 1) {
      clock.advance(1);
      line.gaveUp();
    }
    assert.equal(line.canServe(5, within(1249)), false);
    assert.equal(line.expectedMs(), 1250);
  });

  it('forgets a pace of long ago', () => {
    const { line, join, within, clock } = setUp();
    join(20);
    for (let n = 0; n < 5; n += 1) {
      clock.advance(1000);
      line.left();
    }
    clock.advance(10_001);
    assert.equal(line.canServe(8, within(2000)), true);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDebounce } from '../../../src/redis/client/debounce.js';
import { manualClock } from '../../support/manual-clock.js';

function setUp() {
  const clock = manualClock();
  const debounce = createDebounce(1000, clock);
  return (condition: boolean, afterMs: number) => {
    clock.advance(afterMs);
    return debounce(condition);
  };
}

describe('a debounced condition', () => {
  it('changes in both directions after it has differed for the period', () => {
    const check = setUp();
    assert.equal(check(true, 0), false);
    assert.equal(check(true, 999), false);
    assert.equal(check(true, 1), true);
    assert.equal(check(false, 0), true);
    assert.equal(check(false, 999), true);
    assert.equal(check(false, 1), false);
  });

  it('starts the period again after each check at which it does not differ', () => {
    const check = setUp();
    for (let n = 0; n < 10; n += 1) {
      assert.equal(check(true, 0), false);
      assert.equal(check(true, 900), false);
      assert.equal(check(false, 90), false);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createLoopClock } from '../../../src/redis/client/loop-clock.js';

function setUp(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let now = 0;
  let needed = true;
  const clock = createLoopClock(
    () => needed,
    () => now,
  );
  return {
    clock,
    /** The event loop turns after so many milliseconds. */
    turn: (ms: number) => {
      now += ms;
      t.mock.timers.tick(10);
    },
    busy: (ms: number) => {
      now += ms;
    },
    notNeeded: () => {
      needed = false;
    },
  };
}

describe('the clock of the event loop', () => {
  it('goes like any other while the loop turns', (t) => {
    const { clock, turn } = setUp(t);
    clock.wake();
    for (let n = 0; n < 20; n += 1) turn(12);
    assert.equal(clock.now(), 240);
  });

  it('stands still in a turn that takes long', (t) => {
    const { clock, turn, busy } = setUp(t);
    clock.wake();
    busy(300);
    assert.equal(clock.now(), 15);
    turn(0);
    assert.equal(clock.now(), 15);
    turn(10);
    assert.equal(clock.now(), 25);
  });

  it('sleeps while nobody needs it, and goes on without a step', (t) => {
    const { clock, turn, busy, notNeeded } = setUp(t);
    clock.wake();
    notNeeded();
    turn(10);
    busy(500);
    assert.equal(clock.now(), 510);
    clock.wake();
    assert.deepEqual([clock.now(), clock.awakeSince], [510, 510]);
  });
});

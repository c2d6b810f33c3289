import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPendingWrites } from '../../src/redis/pending-writes.js';
import { eventually } from '../support/eventually.js';
import { manualClock, systemClock } from '../support/manual-clock.js';

/** A write that fails until the test lets it succeed. */
function failingWrite() {
  const state = { attempts: 0, lastAttempts: 0, fails: true };
  const write = (isLast: boolean) => {
    state.attempts += 1;
    if (isLast) state.lastAttempts += 1;
    return Promise.resolve(!state.fails);
  };
  return { state, write };
}

describe('a pending write', () => {
  it('is made at once, and only once if it succeeds', async () => {
    const writes = createPendingWrites(systemClock);
    const { state, write } = failingWrite();
    state.fails = false;
    await writes.add(1, write);
    await writes.drain(1000);
    assert.equal(state.attempts, 1);
  });

  it('is retried until it succeeds, while its caller continues', async () => {
    const writes = createPendingWrites(systemClock);
    const { state, write } = failingWrite();
    await writes.add(1, write);
    assert.equal(state.attempts, 1);
    await eventually(() => state.attempts >= 3, 'two more attempts');
    state.fails = false;
    await writes.drain(10_000);
    const { attempts } = state;
    await writes.drain(1000);
    assert.equal(state.attempts, attempts);
  });

  it('is retried for two seconds, and dropped after a last attempt', async () => {
    const clock = manualClock();
    const writes = createPendingWrites(clock);
    const { state, write } = failingWrite();
    await writes.add(1, write);
    clock.advance(1999);
    await eventually(() => state.attempts === 3, 'two more attempts');
    assert.equal(state.lastAttempts, 0);
    clock.advance(1);
    await writes.drain(60_000);
    assert.deepEqual([state.attempts, state.lastAttempts], [4, 1]);
  });

  it('is dropped at once if 20,000 items are pending', async () => {
    const writes = createPendingWrites(systemClock);
    const [first, second, third] = [failingWrite(), failingWrite(), failingWrite()];
    await writes.add(19_999, first.write);
    await writes.add(2, second.write);
    await writes.add(1, third.write);
    await eventually(() => first.state.attempts > 1 && third.state.attempts > 1, 'retries');
    assert.equal(second.state.attempts, 1);
    for (const { state } of [first, third]) state.fails = false;
    await writes.drain(10_000);
    await writes.add(2, second.write);
    await eventually(() => second.state.attempts > 2, 'a retry when there is room again');
    second.state.fails = false;
  });

  it('delays the end of a process by a limited time', async () => {
    const writes = createPendingWrites(systemClock);
    const { state, write } = failingWrite();
    await writes.add(1, write);
    await writes.drain(0);
    assert.equal(state.attempts, 1);
    state.fails = false;
  });
});

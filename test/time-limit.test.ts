import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { withTimeLimit } from '../src/time-limit.js';

const late = () => new Error('too late');
const HOUR_MS = 3_600_000;
const never = () => new Promise<never>(() => undefined);

describe('a time limit', () => {
  it('gives what the work gives', async () => {
    assert.equal(await withTimeLimit({ limitMs: HOUR_MS, late }, () => Promise.resolve(7)), 7);
  });

  it('throws what the work throws', async () => {
    const fault = new Error('fault');
    const work = withTimeLimit({ limitMs: HOUR_MS, late }, () => Promise.reject(fault));
    await assert.rejects(work, (error) => error === fault);
  });

  it('throws its own error when the time is up, and tells the work', async () => {
    let inner!: AbortSignal;
    const work = withTimeLimit({ limitMs: 1, late }, (signal) => {
      inner = signal;
      return never();
    });
    await assert.rejects(work, { message: 'too late' });
    assert.equal((inner.reason as Error).message, 'too late');
  });

  it("throws the reason of the caller's signal, and tells the work", async () => {
    const controller = new AbortController();
    const reason = new Error('gone');
    let inner!: AbortSignal;
    const work = withTimeLimit({ signal: controller.signal, limitMs: HOUR_MS, late }, (signal) => {
      inner = signal;
      return never();
    });
    controller.abort(reason);
    await assert.rejects(work, (error) => error === reason);
    assert.equal(inner.reason, reason);
  });

  it('does not begin the work for a caller who has gone', async () => {
    const reason = new Error('gone');
    let begun = false;
    const work = withTimeLimit(
      { signal: AbortSignal.abort(reason), limitMs: HOUR_MS, late },
      () => {
        begun = true;
        return never();
      },
    );
    await assert.rejects(work, (error) => error === reason);
    assert.equal(begun, false);
  });

  it('leaves no listener and no timer behind', async () => {
    const { signal } = new AbortController();
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout');
    const before = timers().length;
    await withTimeLimit({ signal, limitMs: HOUR_MS, late }, () => Promise.resolve());
    await assert.rejects(
      withTimeLimit({ signal, limitMs: HOUR_MS, late }, () => Promise.reject(new Error('no'))),
    );
    assert.equal(getEventListeners(signal, 'abort').length, 0);
    assert.equal(timers().length, before);
  });

  it('ignores a failure of work that was given up', async () => {
    const work = withTimeLimit(
      { limitMs: 1, late },
      (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            setImmediate(reject, new Error('ended by the signal'));
          });
        }),
    );
    await assert.rejects(work, { message: 'too late' });
    // A rejection that nobody handles would end this process.
    await new Promise((resolve) => setTimeout(resolve, 5));
  });
});

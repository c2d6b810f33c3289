import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { createSemaphore } from '../../src/upstream/semaphore.js';

describe('a caller of a semaphore', () => {
  it('leaves no listener on its signal after it has waited for a slot', async () => {
    const semaphore = createSemaphore(1);
    const { signal } = new AbortController();
    for (let time = 0; time < 3; time += 1) {
      const release = await semaphore.acquire({
        signal,
        limitMs: 10_000,
        late: () => new Error('late'),
      });
      const waiting = semaphore.acquire({ signal, limitMs: 10_000, late: () => new Error('late') });
      release();
      (await waiting)();
    }
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
});

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { createSemaphore } from '../../src/upstream/semaphore.js';

describe('a semaphore', () => {
  it('lets any number of callers wait, and serves them in their order', async () => {
    const semaphore = createSemaphore(1);
    const numbers = Array.from({ length: 3000 }, (_, number) => number);
    const order: number[] = [];
    const calls = numbers.map(async (number) => {
      const release = await semaphore.acquire(new AbortController().signal);
      order.push(number);
      await Promise.resolve();
      release();
    });
    await Promise.all(calls);
    assert.deepEqual(order, numbers);
  });

  it('leaves no listener on the signal', async () => {
    const semaphore = createSemaphore(1);
    const controller = new AbortController();
    const release = await semaphore.acquire(controller.signal);
    const next = semaphore.acquire(controller.signal);
    release();
    await next;
    assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
  });
});

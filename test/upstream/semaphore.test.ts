import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { createSemaphore } from '../../src/upstream/semaphore.js';
import { nextIteration } from '../support/eventually.js';

const { signal } = new AbortController();

describe('a semaphore', () => {
  it('has no more slots taken than there are', async () => {
    const semaphore = createSemaphore(2);
    const first = await semaphore.acquire(signal);
    await semaphore.acquire(signal);
    let isThirdTaken = false;
    const third = semaphore.acquire(signal).then(() => (isThirdTaken = true));
    await nextIteration();
    assert.equal(isThirdTaken, false);
    first();
    await third;
  });

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

  it('removes a caller who gives up from the queue', async () => {
    const semaphore = createSemaphore(1);
    const release = await semaphore.acquire(signal);
    const controller = new AbortController();
    const reason = new Error('gone');
    const leaving = semaphore.acquire(controller.signal);
    controller.abort(reason);
    await assert.rejects(leaving, (error) => error === reason);
    await assert.rejects(semaphore.acquire(controller.signal), (error) => error === reason);
    const next = semaphore.acquire(signal);
    release();
    assert.equal(typeof (await next), 'function');
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

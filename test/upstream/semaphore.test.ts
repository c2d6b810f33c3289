import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { it } from 'node:test';
import { createSemaphore } from '../../src/upstream/semaphore.js';

const { signal } = new AbortController();

it('gives so many slots and no more', async () => {
  const semaphore = createSemaphore(2, 10);
  const first = await semaphore.acquire(signal);
  assert.ok(first && semaphore.tryAcquire());
  assert.equal(semaphore.tryAcquire(), undefined);
  first();
  assert.ok(semaphore.tryAcquire());
});

it('serves in the order of coming', async () => {
  const semaphore = createSemaphore(1, 10);
  const order: number[] = [];
  const calls = [1, 2, 3, 4].map(async (number) => {
    const release = await semaphore.acquire(signal);
    order.push(number);
    await Promise.resolve();
    release?.();
  });
  await Promise.all(calls);
  assert.deepEqual(order, [1, 2, 3, 4]);
});

it('turns away at once whoever would make the line too long', async () => {
  const semaphore = createSemaphore(1, 1);
  const release = semaphore.tryAcquire();
  const waiting = semaphore.acquire(signal);
  assert.equal(await semaphore.acquire(signal), undefined);
  release?.();
  assert.ok(await waiting);
});

it('lets whoever gives up leave the line', async () => {
  const semaphore = createSemaphore(1, 1);
  const release = semaphore.tryAcquire();
  const controller = new AbortController();
  const reason = new Error('gone');
  const leaving = semaphore.acquire(controller.signal);
  controller.abort(reason);
  await assert.rejects(leaving, (error) => error === reason);
  await assert.rejects(semaphore.acquire(controller.signal), (error) => error === reason);
  const next = semaphore.acquire(signal);
  release?.();
  assert.ok(await next);
});

it('gives a slot back once, however often it is released', () => {
  const semaphore = createSemaphore(1, 1);
  const release = semaphore.tryAcquire();
  release?.();
  release?.();
  assert.ok(semaphore.tryAcquire());
  assert.equal(semaphore.tryAcquire(), undefined);
});

it('leaves no listener on the signal', async () => {
  const semaphore = createSemaphore(1, 5);
  const controller = new AbortController();
  const release = await semaphore.acquire(controller.signal);
  const next = semaphore.acquire(controller.signal);
  release?.();
  await next;
  assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createLifecycle } from '../../src/process/lifecycle.js';

const TIMEOUT_MS = 1000;

/** A lifecycle without a server: its shutdown does not wait for the delay. */
const create = () =>
  createLifecycle({ log: pino({ enabled: false }), delayMs: 600_000, timeoutMs: TIMEOUT_MS });

it('a shutdown drains, then flushes, then closes in the reverse order of registration', async () => {
  const lifecycle = create();
  const steps: string[] = [];
  const step = (name: string) => () => {
    const { isDraining, closing, ending } = lifecycle;
    steps.push(`${name} ${isDraining} ${closing.aborted} ${ending.aborted}`);
    return Promise.resolve();
  };
  lifecycle.onClose(step('first'));
  lifecycle.onClose(step('second'));
  lifecycle.onFlush(step('flush'));
  lifecycle.onDrain(step('drain'));
  assert.equal(lifecycle.isDraining, false);
  const code = await lifecycle.shutDown('SIGTERM');
  assert.deepEqual(steps, [
    'drain true false false',
    'flush true true false',
    'second true true true',
    'first true true true',
  ]);
  assert.equal(code, 0);
});

it('a flush has the time that is left of draining', async () => {
  const lifecycle = create();
  let flushMs = Infinity;
  // The time for draining begins when `closing` is aborted.
  lifecycle.onDrain(async () => {
    await once(lifecycle.closing, 'abort');
    await sleep(100);
  });
  lifecycle.onFlush((limitMs) => {
    flushMs = limitMs;
    return Promise.resolve();
  });
  await lifecycle.shutDown('SIGTERM');
  // Not less: on a busy machine, draining can end before its time begins.
  assert.ok(flushMs < TIMEOUT_MS, `${flushMs} ms`);
});

it('a connection that does not close delays the exit for a bounded time only', async () => {
  const lifecycle = create();
  lifecycle.onClose(() => new Promise(() => undefined));
  assert.equal(await lifecycle.shutDown('SIGINT'), 0);
});

it('a shutdown that fails ends the process with code 1', async () => {
  const lifecycle = create();
  lifecycle.onFlush(() => Promise.reject(new Error('broken')));
  assert.equal(await lifecycle.shutDown('SIGTERM'), 1);
});

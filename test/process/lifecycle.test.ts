import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createLifecycle } from '../../src/process/lifecycle.js';
import { eventually } from '../support/eventually.js';

/** A lifecycle of this process, which does not end. It has no server, so the shutdown does not wait for the delay. */
function setUp() {
  const exits: unknown[] = [];
  const exit = (_log: unknown, code: number) => void exits.push(code);
  const log = pino({ enabled: false });
  const lifecycle = createLifecycle({ log, delayMs: 600_000, timeoutMs: 1000, exit });
  return { lifecycle, ended: () => eventually(() => exits.length > 0, 'the exit'), exits };
}

it('a shutdown drains, then flushes, then closes in the reverse order of registration', async () => {
  const { lifecycle, ended, exits } = setUp();
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
  lifecycle.shutDown('SIGTERM');
  await ended();
  assert.deepEqual(steps, [
    'drain true false false',
    'flush true true false',
    'second true true true',
    'first true true true',
  ]);
  assert.equal(exits[0], 0);
});

it('a flush has the time that is left of draining', async () => {
  const { lifecycle, ended } = setUp();
  let flushMs = Infinity;
  lifecycle.onDrain(() => sleep(100));
  lifecycle.onFlush((limitMs) => {
    flushMs = limitMs;
    return Promise.resolve();
  });
  lifecycle.shutDown('SIGTERM');
  await ended();
  assert.ok(flushMs < 950, `${flushMs} ms`);
});

it('a connection that does not close delays the exit for a bounded time only', async () => {
  const { lifecycle, ended, exits } = setUp();
  lifecycle.onClose(() => new Promise(() => undefined));
  lifecycle.shutDown('SIGINT');
  await ended();
  assert.equal(exits[0], 0);
});

it('a shutdown that fails ends the process with code 1', async () => {
  const { lifecycle, ended, exits } = setUp();
  lifecycle.onFlush(() => Promise.reject(new Error('broken')));
  lifecycle.shutDown('SIGTERM');
  await ended();
  assert.equal(exits[0], 1);
});

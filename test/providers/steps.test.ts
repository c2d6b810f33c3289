import assert from 'node:assert/strict';
import { it } from 'node:test';
import { stepsBetween } from '../../src/providers/steps.js';

const HOUR_MS = 3_600_000;

it('steps between two instants are in order, at most one for each hour, and the first of several', () => {
  const steps = [5, 3, 3.5, 9, 3, 4, NaN, Infinity, -Infinity, 2].map((hour, index) => ({
    time: hour * HOUR_MS,
    index,
  }));
  const between = stepsBetween(steps, 3 * HOUR_MS, 5 * HOUR_MS);
  assert.deepEqual(
    between.map(({ index }) => index),
    [1, 5, 0],
  );
});

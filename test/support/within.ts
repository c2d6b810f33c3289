import assert from 'node:assert/strict';

/** Fails with the number itself: for a bare condition the runner would have to parse the source. */
export function assertWithin(value: number, low: number, high: number): void {
  assert.ok(value >= low && value <= high, `${value} is not within ${low} to ${high}`);
}

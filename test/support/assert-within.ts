import assert from 'node:assert/strict';

/** Asserts that a number is in a range. The error message has the number. */
export function assertWithin(value: number, low: number, high: number): void {
  assert.ok(value >= low && value <= high, `${value} is not within ${low} to ${high}`);
}

import assert from 'node:assert/strict';

/** Asserts that two lists are equal. The error message has only the first item that differs. */
export function assertEach(actual: readonly unknown[], expected: readonly unknown[]): void {
  for (const [index, item] of expected.entries()) {
    assert.deepEqual({ index, item: actual[index] }, { index, item });
  }
  assert.equal(actual.length, expected.length);
}

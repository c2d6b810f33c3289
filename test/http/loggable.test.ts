import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loggable } from '../../src/http/answer.js';

describe('input in a log record', () => {
  it('is short', () => {
    assert.equal(loggable('x'.repeat(120)), 'x'.repeat(120));
    assert.equal(loggable('x'.repeat(10_000)), `${'x'.repeat(120)}…`);
  });

  it('is printable', () => {
    assert.equal(loggable('a\u009bb\u202ec'), 'a\ufffdb\ufffdc');
  });

  it('is null if it is not a string', () => {
    for (const value of [undefined, null, 5, ['a'], { a: 'b' }])
      assert.equal(loggable(value), null);
  });
});

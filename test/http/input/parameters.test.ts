import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InvalidInputError } from '../../../src/base/errors.js';
import { wholeNumber } from '../../../src/http/input/parameters.js';

const RULES = [1, 12, 365].map((max) =>
  wholeNumber('count', { min: 1, max, default: 1, description: '' }),
);

describe('a parameter that is a whole number', () => {
  it('has one spelling, whatever its maximum is', () => {
    for (const rule of RULES) {
      assert.equal(rule.read({ count: '1' }), 1);
      for (const count of [
        '',
        '0',
        '00',
        '01',
        '0001',
        '-1',
        '+1',
        '1.0',
        '1e0',
        ' 1',
        '1 ',
        '0x1',
        '١',
        '1'.repeat(10),
      ]) {
        assert.throws(() => rule.read({ count }), InvalidInputError, count);
      }
      assert.throws(() => rule.read({ count: ['1', '1'] }), InvalidInputError);
      assert.equal(rule.read({}), 1);
    }
  });

  it('includes its minimum and maximum, and nothing beyond them', () => {
    const rule = wholeNumber('count', { min: 2, max: 48, default: 24, description: '' });
    for (const count of ['2', '48']) assert.equal(rule.read({ count }), Number(count));
    for (const count of ['1', '49', '480']) {
      assert.throws(() => rule.read({ count }), {
        title: 'Invalid count',
        message: 'count must be a whole number from 2 to 48',
      });
    }
  });
});

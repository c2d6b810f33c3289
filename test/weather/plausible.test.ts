import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPlausible, plausible, type Quantity } from '../../src/weather/plausible.js';

const NOT_NUMBERS = [undefined, null, '8.4', true, {}, [], NaN, Infinity, -Infinity];

describe('a value of a quantity', () => {
  const ROWS: [quantity: Quantity, input: number, value: number | null][] = [
    ['temperature', -130, -130],
    ['temperature', -130.1, null],
    ['temperature', 80, 80],
    ['temperature', 80.1, null],
    ['temperature', -999, null],
    ['temperature', -0.04, 0],
    ['temperature', 8.449, 8.4],
    ['windSpeed', 600, 600],
    ['windSpeed', 600.1, null],
    ['windSpeed', -0, 0],
    ['windSpeed', -0.1, null],
    ['percentage', 86.5, 87],
    ['percentage', 100.4, 100],
    ['percentage', 101, 100],
    ['percentage', 105, 100],
    ['percentage', 105.1, null],
    ['percentage', -0.4, 0],
    ['percentage', -2, 0],
    ['percentage', -2.1, null],
  ];
  for (const [quantity, input, value] of ROWS) {
    it(`is ${value} for the ${quantity} ${input}`, () => {
      assert.equal(Object.is(plausible(quantity, input), value), true);
    });
  }

  it('is null for anything that is not a finite number', () => {
    for (const quantity of ['temperature', 'windSpeed', 'percentage'] as const) {
      for (const input of NOT_NUMBERS) assert.equal(plausible(quantity, input), null);
    }
  });
});

describe('a stored value of a quantity', () => {
  it('is plausible only as it was stored: rounded and within the bounds', () => {
    const values: [Quantity, unknown, boolean][] = [
      ['temperature', 8.4, true],
      ['temperature', 8.44, false],
      ['temperature', 81, false],
      ['percentage', 100, true],
      ['percentage', 101, false],
      ['percentage', 55.5, false],
      ['windSpeed', 0, true],
    ];
    for (const [quantity, value, isStored] of values) {
      assert.equal(isPlausible(quantity, value), isStored, `${quantity} ${String(value)}`);
    }
    for (const value of NOT_NUMBERS) assert.equal(isPlausible('temperature', value), false);
  });
});

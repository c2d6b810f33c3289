import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isPlausible,
  roundedPlausibleValue,
  type Quantity,
} from '../../src/weather/kinds/quantities.js';

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
    ['wind_speed', 600, 600],
    ['wind_speed', 600.1, null],
    ['wind_speed', -0, 0],
    ['wind_speed', -0.1, null],
    ['humidity', 86.5, 87],
    ['humidity', 100.4, 100],
    ['humidity', 101, 100],
    ['humidity', 105, 100],
    ['humidity', 105.1, null],
    ['humidity', -0.4, 0],
    ['humidity', -2, 0],
    ['humidity', -2.1, null],
  ];
  for (const [quantity, input, value] of ROWS) {
    it(`is ${value} for the ${quantity} ${input}`, () => {
      assert.equal(Object.is(roundedPlausibleValue(quantity, input), value), true);
    });
  }

  it('is null for anything that is not a finite number', () => {
    for (const quantity of ['temperature', 'wind_speed', 'humidity'] as const) {
      for (const input of NOT_NUMBERS) assert.equal(roundedPlausibleValue(quantity, input), null);
    }
  });
});

describe('a stored value of a quantity', () => {
  it('is plausible only as it was stored: rounded and within the bounds', () => {
    const values: [Quantity, unknown, boolean][] = [
      ['temperature', 8.4, true],
      ['temperature', 8.44, false],
      ['temperature', 81, false],
      ['humidity', 100, true],
      ['humidity', 101, false],
      ['humidity', 55.5, false],
      ['wind_speed', 0, true],
    ];
    for (const [quantity, value, isStored] of values) {
      assert.equal(isPlausible(quantity, value), isStored, `${quantity} ${String(value)}`);
    }
    for (const value of NOT_NUMBERS) assert.equal(isPlausible('temperature', value), false);
  });
});

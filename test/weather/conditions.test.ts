import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { conditionOf, isWeatherCode } from '../../src/weather/conditions/conditions.js';

/** The codes in the documentation of Open-Meteo. */
const CODES = [
  ...[0, 1, 2, 3, 45, 48, 51, 53, 55, 56, 57, 61, 63, 65, 66, 67],
  ...[71, 73, 75, 77, 80, 81, 82, 85, 86, 95, 96, 99],
];

describe('a weather condition', () => {
  it('has a text for each code', () => {
    const codes = Array.from({ length: 101 }, (_, code) => code);
    const known = codes.filter((code) => conditionOf(code) !== 'Unknown');
    assert.deepEqual(known, CODES);
    assert.deepEqual(codes.filter(isWeatherCode), CODES);
    assert.equal(new Set(known.map(conditionOf)).size, CODES.length);
    const texts = ['Clear sky', 'Depositing rime fog', 'Thunderstorm with heavy hail', 'Unknown'];
    assert.deepEqual([0, 48, 99, 0.5].map(conditionOf), texts);
    assert.deepEqual([null, '0', 0.5, -1].map(isWeatherCode), [true, false, false, false]);
    assert.equal(conditionOf(null), 'Unknown');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dewPoint, feelsLike } from '../../src/weather/feels-like.js';
import { roundedPlausibleValue } from '../../src/weather/kinds/quantities.js';

/** °C, %, m/s, and the result of the rule, which were computed independently. */
const CASES: [temperature: number, humidity: number, windMs: number, expected: number][] = [
  [-12, 70, 5, -19.9],
  [-12, 70, 1, -12],
  [3, 85, 8, -2.4],
  [9.9, 80, 2, 9.1],
  [15, 60, 4, 15],
  [27, 41, 3, 26.9],
  [30, 70, 2, 35],
  [35, 50, 4, 40.7],
  [38, 10, 3, 38],
  // At the limits, the temperature itself.
  [26, 90, 2, 26],
  [10, 50, 20, 10],
  [30, 40, 2, 30],
  [-40, 60, 1.33, -40],
];

describe('the apparent temperature', () => {
  it('is the heat index, the wind chill, or the temperature, by the rule of Yr', () => {
    for (const [temperature, humidity, windMs, expected] of CASES) {
      const result = feelsLike(temperature, humidity, windMs * 3.6);
      assert.equal(
        roundedPlausibleValue('feels_like', result),
        expected,
        `${temperature} ${humidity} ${windMs}`,
      );
    }
  });

  it('in damp heat has the adjustment of the heat index', () => {
    // 82 °F and 95 %: 92.9 °F by the regression, and 1 °F more by the adjustment.
    assert.equal(roundedPlausibleValue('feels_like', feelsLike((82 - 32) / 1.8, 95, 0)), 34.4);
    // 89.6 °F and 90 %: above 87 °F there is no adjustment.
    assert.equal(roundedPlausibleValue('feels_like', feelsLike(32, 90, 0)), 49);
  });

  it('is null without a value that the rule needs', () => {
    assert.equal(feelsLike(null, 50, 10), null);
    assert.equal(feelsLike(30, undefined, 10), null);
    assert.equal(feelsLike(5, 50, null), null);
    // Between the limits, the rule needs neither.
    assert.equal(feelsLike(20, null, null), 20);
  });
});

describe('the dew point', () => {
  it('follows from temperature and humidity', () => {
    const values = [
      [8.4, 87, 6.4],
      [25, 100, 25],
      [30, 50, 18.4],
      [-10, 80, -12.8],
    ] as const;
    for (const [temperature, humidity, expected] of values) {
      assert.equal(roundedPlausibleValue('dew_point', dewPoint(temperature, humidity)), expected);
    }
  });

  it('does not exist in completely dry air, and is unknown without a value', () => {
    assert.equal(dewPoint(20, 0), null);
    assert.equal(dewPoint(null, 50), null);
    assert.equal(dewPoint(20, undefined), null);
  });
});

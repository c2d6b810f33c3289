import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CURRENT_WEATHER } from '../../src/weather/current-weather.js';
import { DAILY_FORECAST } from '../../src/weather/daily-forecast.js';
import { keyOf } from '../../src/weather/kind.js';
import { pointRequest } from '../../src/weather/point.js';

it('a key has the name of its kind, and the point with four decimals', () => {
  const request = pointRequest({ latitude: 59.91273, longitude: 180 });
  assert.equal(keyOf(CURRENT_WEATHER, request), 'weather:59.9127:-180.0000');
  assert.equal(keyOf(DAILY_FORECAST, request), 'forecast:59.9127:-180.0000');
});

describe('the current weather', () => {
  const WEATHER = { temperature: 1, condition: 'Fog', humidity: 50, wind_speed: 2 };
  const BOUNDS = [
    ['temperature', -130, 80],
    ['humidity', 0, 100],
    ['wind_speed', 0, 600],
  ] as const;
  for (const [field, least, most] of BOUNDS) {
    it(`has a value of ${field} from ${least} to ${most}`, () => {
      const valid = [least - 0.1, least, most, most + 0.1].map((value) =>
        CURRENT_WEATHER.isValue({ ...WEATHER, [field]: value }),
      );
      assert.deepEqual(valid, [false, true, true, false]);
    });
  }
});

it('a daily forecast has one to seven days, and a probability from 0 to 100', () => {
  const day = {
    ...{ date: '2026-11-24', temperature_min: 1, temperature_max: 2, condition: 'Fog' },
    ...{ precipitation_probability: 0, sunrise: null, sunset: null },
  };
  const isValid = (...days: object[]) => DAILY_FORECAST.isValue({ timezone: 'UTC', days });
  const lengths = [0, 1, 7, 8].map((length) => isValid(...Array.from({ length }, () => day)));
  assert.deepEqual(lengths, [false, true, true, false]);
  const probabilities = [-1, 0, 100, 101, 0.5, null].map((value) =>
    isValid({ ...day, precipitation_probability: value }),
  );
  assert.deepEqual(probabilities, [false, true, true, false, false, true]);
});

it('a request about a point is one on Earth', () => {
  const points = [
    ...[
      { latitude: 90, longitude: 180 },
      { latitude: -90, longitude: -180 },
    ],
    ...[
      { latitude: 90.1, longitude: 0 },
      { latitude: 0, longitude: 180.1 },
    ],
  ];
  const valid = points.map((point) => CURRENT_WEATHER.isRequest({ point }));
  assert.deepEqual(valid, [true, true, false, false]);
});

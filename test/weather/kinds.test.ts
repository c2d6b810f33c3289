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

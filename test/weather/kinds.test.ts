import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CURRENT_WEATHER } from '../../src/weather/current-weather.js';
import { DAILY_FORECAST } from '../../src/weather/daily-forecast.js';
import { keyOf } from '../../src/weather/kind.js';
import { pointRequest } from '../../src/weather/point.js';

it('a key has the name of its kind, and the point with four decimals', () => {
  const request = pointRequest({ latitude: 59.91273, longitude: 180 });
  assert.equal(keyOf(CURRENT_WEATHER, request), 'weather:59.9127:-180.0000');
  assert.equal(keyOf(DAILY_FORECAST, request), 'forecast:59.9127:-180.0000');
});

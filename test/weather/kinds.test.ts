import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CURRENT_WEATHER } from '../../src/weather/kinds/current-weather.js';
import { DAILY_FORECAST } from '../../src/weather/kinds/daily-forecast.js';
import { POINT_KINDS } from '../../src/weather/kinds/kinds.js';
import { keyOf } from '../../src/weather/kinds/kind.js';
import { POSITION } from '../../src/weather/kinds/position.js';
import { pointRequest } from '../../src/weather/kinds/point.js';
import { currentWeather } from '../support/steps.js';

it('a key has the name of its kind, and the point with four decimals', () => {
  const request = pointRequest({ latitude: 59.91273, longitude: 180 });
  assert.equal(keyOf(CURRENT_WEATHER, request), 'weather:59.9127:-180.0000');
  assert.equal(keyOf(DAILY_FORECAST, request), 'forecast:59.9127:-180.0000');
});

it('each kind has a name of its own', () => {
  const names = [POSITION, ...POINT_KINDS.map(({ kind }) => kind)].map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
});

describe('a stored value', () => {
  const weather = currentWeather();
  const days = {
    ...{ timezone: 'Europe/Oslo', date: ['2026-11-24'], weather_code: [3] },
    ...{ temperature_min: [1], temperature_max: [4] },
  };
  const unknown = { planted: 'x'.repeat(1000), __proto__: { polluted: true } };
  const copied = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

  it('is read without unknown members', () => {
    for (const [kind, value] of [
      [CURRENT_WEATHER, weather],
      [DAILY_FORECAST, DAILY_FORECAST.readValue(days)],
      [POSITION, { latitude: 1, longitude: 2 }],
    ] as const) {
      assert.deepEqual(kind.readValue(copied({ ...value, ...unknown })), value);
    }
    assert.equal(POSITION.readValue(null), null);
  });

  it('is not read with a longer time zone than any', () => {
    const zone = (length: number) => ({ ...days, timezone: 'z'.repeat(length) });
    assert.notEqual(DAILY_FORECAST.readValue(zone(100)), undefined);
    assert.equal(DAILY_FORECAST.readValue(zone(101)), undefined);
  });
});

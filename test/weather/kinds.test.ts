import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CURRENT_WEATHER } from '../../src/weather/kinds/current-weather.js';
import { DAILY_FORECAST } from '../../src/weather/kinds/daily-forecast.js';
import { POSITION } from '../../src/weather/kinds/position.js';
import { currentWeather } from '../support/steps.js';

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

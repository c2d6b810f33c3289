import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { CURRENT_WEATHER } from '../../src/weather/current-weather.js';
import { DAILY_FORECAST } from '../../src/weather/daily-forecast.js';
import { keyOf } from '../../src/weather/kind.js';
import { POINT_KINDS } from '../../src/weather/kinds.js';
import { POSITION } from '../../src/weather/position.js';
import { pointRequest } from '../../src/weather/point.js';

it('a key has the name of its kind, and the point with four decimals', () => {
  const request = pointRequest({ latitude: 59.91273, longitude: 180 });
  assert.equal(keyOf(CURRENT_WEATHER, request), 'weather:59.9127:-180.0000');
  assert.equal(keyOf(DAILY_FORECAST, request), 'forecast:59.9127:-180.0000');
});

it('every ability of a provider has a test, and every kind is supplied by an ability of its own', () => {
  const abilities = POINT_KINDS.map(({ ability }) => `${ability}.test.ts`);
  const tests = readdirSync(join(import.meta.dirname, '../contracts/abilities'));
  assert.deepEqual(tests.sort(), abilities.sort());
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
      const valid = [least - 0.1, least, most, most + 0.1].map(
        (value) => CURRENT_WEATHER.readValue({ ...WEATHER, [field]: value }) !== undefined,
      );
      assert.deepEqual(valid, [false, true, true, false]);
    });
  }
});

describe('a stored value', () => {
  const day = {
    ...{ date: '2026-11-24', temperature_min: 1, temperature_max: 4, condition: 'Fog' },
    ...{ precipitation_probability: null, sunrise: null, sunset: '2026-11-24T15:59' },
  };
  const weather = { temperature: 1, condition: 'Fog', humidity: 50, wind_speed: 2 };
  const unknown = { planted: 'x'.repeat(1000), __proto__: { polluted: true } };

  it('is read without unknown members', () => {
    const forecast = { timezone: 'Europe/Oslo', days: [day, day] };
    for (const [kind, value, planted] of [
      [CURRENT_WEATHER, weather, { ...weather, ...unknown }],
      [DAILY_FORECAST, forecast, { ...forecast, ...unknown, days: [{ ...day, ...unknown }, day] }],
      [POSITION, { latitude: 1, longitude: 2 }, { latitude: 1, longitude: 2, ...unknown }],
      [POSITION, null, null],
    ] as const) {
      assert.deepEqual(kind.readValue(JSON.parse(JSON.stringify(planted))), value);
    }
  });

  it('is not read with a longer time zone than any', () => {
    const zone = (length: number) => ({ timezone: 'z'.repeat(length), days: [day] });
    assert.notEqual(DAILY_FORECAST.readValue(zone(100)), undefined);
    assert.equal(DAILY_FORECAST.readValue(zone(101)), undefined);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  readCurrent,
  readSeries,
  type RawDay,
  type RawTime,
} from '../../src/providers/kind-values.js';
import { CURRENT_WEATHER } from '../../src/weather/kinds/current-weather.js';
import { DAILY_FORECAST, FETCHED_DAYS } from '../../src/weather/kinds/daily-forecast.js';
import { HOUR_MS } from '../../src/weather/time/durations.js';
import { FETCHED_HOURS, HOURLY_FORECAST } from '../../src/weather/kinds/hourly-forecast.js';
import type { RawValues } from '../../src/weather/kinds/values.js';

const AUCKLAND = { latitude: -36.85, longitude: 174.76, timeZone: 'Pacific/Auckland' };
/** In the afternoon of the 25th in Auckland. */
const NOW = Date.parse('2026-11-25T02:00Z');

/** A response that has what is read from it. */
const responseOf = <Body>(body: Body, now = NOW) => ({ body, referenceTimes: [now] });

/** Numbers that no quantity can have, and values that are not numbers. */
const IMPLAUSIBLE = [null, undefined, -9999, 1e9, NaN, Infinity];

describe('current weather', () => {
  const raw = (more: RawValues = {}): RawTime => ({
    ...{ time: NOW, temperature: 4.04, humidity: 86.6, wind_speed: 11.16, weather_code: 3 },
    ...more,
  });

  const weatherOf = (more: RawValues) =>
    readCurrent('x', CURRENT_WEATHER, responseOf(raw(more)), (body) => body).value;

  it('has no data without a required value, and names it', () => {
    for (const name of ['temperature', 'humidity', 'wind_speed'] as const) {
      for (const value of IMPLAUSIBLE) {
        assert.throws(() => weatherOf({ [name]: value }), {
          kind: 'no_data',
          message: `x: no plausible ${name}`,
        });
      }
    }
    assert.throws(() => weatherOf({ weather_code: null }), { kind: 'no_data' });
  });

  it('has null for a weather code that is not in the list', () => {
    assert.equal(weatherOf({ weather_code: 4 }).weather_code, null);
  });

  it('has no gusts below the wind, and no direction in a calm', () => {
    const windOf = (more: RawValues) => {
      const { wind_speed, wind_gusts, wind_direction } = weatherOf(more);
      return [wind_speed, wind_gusts, wind_direction];
    };
    const rows: [RawValues, ReturnType<typeof windOf>][] = [
      [{ wind_speed: 20, wind_gusts: 19.9, wind_direction: 90 }, [20, null, 90]],
      [{ wind_speed: 20, wind_gusts: 20.04, wind_direction: 0 }, [20, 20, 0]],
      // Compared as a client sees them.
      [{ wind_speed: 20.04, wind_gusts: 19.96, wind_direction: 360 }, [20, 20, 360]],
      [{ wind_speed: 0, wind_gusts: 5, wind_direction: 0 }, [0, 5, null]],
      [{ wind_speed: 0.04, wind_gusts: 0, wind_direction: 180 }, [0, 0, null]],
      [{ wind_speed: 0.05, wind_gusts: null, wind_direction: 180 }, [0.1, null, 180]],
    ];
    for (const [more, expected] of rows) assert.deepEqual(windOf(more), expected);
  });
});

describe('the days of a provider', () => {
  const day = (date: string, more: RawValues = {}): RawDay => ({
    ...{ date, temperature_min: 10, temperature_max: 20, weather_code: 45 },
    ...{ precipitation_probability: 30, ...more },
  });
  const forecast = (days: RawDay[]) =>
    readSeries('x', DAILY_FORECAST, AUCKLAND, responseOf(days), (body) => body).value;
  const datesOf = (...days: RawDay[]) => forecast(days).date.map((date) => date.slice(5));

  it('are those from the local date of today on, as many as are fetched and one more', () => {
    const dates = ['2026-11-24', '2026-11-25', '2026-12-11', '2026-12-12', '2027-11-25'];
    assert.deepEqual(datesOf(...dates.map((date) => day(date))), ['11-25', '12-11']);
    assert.deepEqual(datesOf(day('2026-11-25'), day('2026-11-31')), ['11-25']);
  });

  it('are in the order of their dates, as many as are fetched', () => {
    const first = Array.from({ length: FETCHED_DAYS + 1 }, (_, index) =>
      new Date(Date.UTC(2026, 10, 25 + index)).toISOString().slice(0, 10),
    );
    assert.deepEqual(
      forecast(first.toReversed().map((date) => day(date))).date,
      first.slice(0, FETCHED_DAYS),
    );
  });

  it('have different dates: of several with one date, the first complete one remains', () => {
    const { date, temperature_max } = forecast([
      day('2026-11-26', { temperature_min: null }),
      day('2026-11-25'),
      day('2026-11-26', { temperature_max: 21 }),
      day('2026-11-26', { temperature_max: 22 }),
    ]);
    assert.deepEqual(
      [date, temperature_max],
      [
        ['2026-11-25', '2026-11-26'],
        [20, 21],
      ],
    );
  });

  it('have no gusts below the wind', () => {
    const days = forecast([day('2026-11-25', { wind_speed_max: 30, wind_gusts_max: 20 })]);
    assert.deepEqual([days.wind_speed_max, days.wind_gusts_max], [[30], [null]]);
  });

  it('begin today or tomorrow: otherwise a clock is wrong', () => {
    assert.deepEqual(datesOf(day('2026-11-26'), day('2026-11-27')), ['11-26', '11-27']);
    const wrong = { kind: 'no_data', message: 'x: the forecast begins in the future' };
    for (const date of ['2026-11-27', '2026-12-08']) assert.throws(() => datesOf(day(date)), wrong);
  });
});

describe('the hours of a provider', () => {
  const START = Date.parse('2026-11-24T10:00Z');
  const POINT = { ...AUCKLAND, timeZone: 'UTC' };
  const raw = (time: number, more: RawValues = {}): RawTime => ({
    ...{ time, temperature: 4.04, weather_code: 3 },
    ...more,
  });
  const hoursFrom = (start: number, count: number) =>
    Array.from({ length: count }, (_, index) => raw(start + index * HOUR_MS));
  const forecast = (hours: RawTime[]) =>
    readSeries('x', HOURLY_FORECAST, POINT, responseOf(hours, START), (body) => body).value;

  it('are in order, each once, from the current hour on, as many as are fetched', () => {
    const all = hoursFrom(START - 3 * HOUR_MS, FETCHED_HOURS + 12).reverse();
    const { time, temperature } = forecast([...all, raw(START, { temperature: 9 })]);
    assert.equal(time.length, FETCHED_HOURS);
    assert.deepEqual([time[0], time.at(-1)], [START, START + (FETCHED_HOURS - 1) * HOUR_MS]);
    assert.equal(temperature[0], 4);
  });

  it('begin within an hour: otherwise a clock is wrong', () => {
    for (const hours of [1, 0.75, -0.75, -30]) {
      assert.ok(forecast(hoursFrom(START + hours * HOUR_MS, 48)).time.length > 0, `${hours} h`);
    }
    const wrong = { kind: 'no_data', message: 'x: the forecast begins in the future' };
    for (const hours of [1.25, 3, 47]) {
      assert.throws(() => forecast(hoursFrom(START + hours * HOUR_MS, 48)), wrong, `${hours} h`);
    }
  });
});

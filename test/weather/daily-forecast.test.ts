import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  DAILY_FORECAST,
  DAILY_QUANTITIES,
  FETCHED_DAYS,
  type DailyWeather,
} from '../../src/weather/kinds/daily-forecast.js';
import { firstRemaining, seriesOf, type Series } from '../../src/weather/kinds/series.js';
import { nullsOf } from '../support/steps.js';
import { without } from '../support/without.js';
import { storedKindContract } from '../contracts/stored-kind.contract.js';

const MINUTE_MS = 60_000;

/** Seven days from a date on, or another number of days. */
function forecast(timezone: string, first: string, count = 7): Series<DailyWeather> {
  const days = Array.from({ length: count }, (_, index) => ({
    date: new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10),
    ...nullsOf(DAILY_QUANTITIES),
    ...{ temperature_min: 1, temperature_max: 2, weather_code: 3 },
    ...{ sunrise: null, sunset: null, moonrise: null, moonset: null },
  }));
  return seriesOf(DAILY_FORECAST, timezone, days as DailyWeather[]);
}

const firstDate = (value: Series<DailyWeather>, now: number) =>
  value.date[firstRemaining(DAILY_FORECAST, value, now)];

/** Time zone, date, and the instant at which the date begins there. */
const MIDNIGHTS: [timeZone: string, date: string, begins: string][] = [
  ['Asia/Kathmandu', '2026-11-24', '2026-11-23T18:15Z'],
  ['Pacific/Kiritimati', '2026-11-24', '2026-11-23T10:00Z'],
  // Here the clock changes at midnight: the date begins at 01:00.
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00Z'],
];

describe('the first day of a forecast', () => {
  for (const [timeZone, date, begins] of MIDNIGHTS) {
    it(`is ${date} from ${begins} on in ${timeZone}`, () => {
      const yesterday = new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);
      const value = forecast(timeZone, yesterday);
      const midnight = Date.parse(begins);
      assert.equal(firstDate(value, midnight - MINUTE_MS), yesterday);
      assert.equal(firstDate(value, midnight), date);
    });
  }

  it('does not exist if all days are over', () => {
    const value = forecast('UTC', '2026-11-23');
    assert.equal(firstDate(value, Date.parse('2026-11-29T23:59Z')), '2026-11-29');
    assert.throws(() => firstRemaining(DAILY_FORECAST, value, Date.parse('2026-11-30T00:00Z')), {
      name: 'ServiceUnavailableError',
    });
  });
});

describe('the time until a forecast is over', () => {
  it('ends at the end of its last day', () => {
    for (const [timeZone, date, begins] of MIDNIGHTS.slice(0, 2)) {
      const first = new Date(Date.parse(date) - 7 * 86_400_000).toISOString().slice(0, 10);
      const value = forecast(timeZone, first);
      const midnight = Date.parse(begins);
      assert.equal(DAILY_FORECAST.remainingMs!(value, midnight - MINUTE_MS), MINUTE_MS);
      assert.equal(DAILY_FORECAST.remainingMs!(value, midnight), 0);
      assert.equal(DAILY_FORECAST.remainingMs!(value, midnight + MINUTE_MS), 0);
    }
  });
});

storedKindContract(DAILY_FORECAST, {
  key: 'forecast:52.5244:13.4105',
  request: '{"point":{"latitude":52.5244,"longitude":13.4105}}',
  values: [
    '{"timezone":"America/Argentina/Buenos_Aires","date":["2026-11-24","2026-11-25"],"weather_code":[61,null],"temperature_min":[-1.5,4],"temperature_max":[4,4],"precipitation_probability":[100,null],"precipitation":[3.45,null],"wind_speed_max":[30.1,null],"wind_gusts_max":[99,null],"uv_index_max":[0,null],"snowfall":[1.75,null],"day_length":[29700,null],"moon_phase":[0.48,null],"moonrise":["2026-11-24T15:48",null],"moonset":["2026-11-24T07:03",null],"sunrise":["2026-11-24T07:44",null],"sunset":["2026-11-24T15:59",null]}',
  ],
  notRequests: ['null', '{}', '{"point":{"latitude":91,"longitude":0}}', '[52.5244,13.4105]'],
  notValues: [
    'null',
    '{"timezone":"UTC","date":[],"weather_code":[],"temperature_min":[],"temperature_max":[]}',
    '{"timezone":"Europe Berlin","date":["2026-11-24"],"weather_code":[3],"temperature_min":[4],"temperature_max":[9]}',
    ...['2026-13-45', '2026-00-00', '2026-02-29', '1969-12-31', '+010000-01-01', 'today'].map(
      (date) =>
        `{"timezone":"UTC","date":["${date}"],"weather_code":[3],"temperature_min":[4],"temperature_max":[9]}`,
    ),
    '{"timezone":"UTC","date":["2026-11-24"],"weather_code":[3],"temperature_min":[4],"temperature_max":[99]}',
    '{"timezone":"UTC","date":["2026-11-24"],"weather_code":["3"],"temperature_min":[4],"temperature_max":[9]}',
    '{"timezone":"UTC","date":["2026-11-24"],"weather_code":[3],"temperature_min":[4],"temperature_max":[9],"precipitation":[-1]}',
    '{"timezone":"UTC","date":["2026-11-24"],"weather_code":[3],"temperature_min":[4],"temperature_max":[9],"sunrise":["2026-11-24T07:60"]}',
  ],
});

describe('a stored forecast', () => {
  it('is read with at most as many days as are fetched', () => {
    const read = (count: number) => DAILY_FORECAST.readValue(forecast('UTC', '2026-11-23', count));
    assert.equal(read(FETCHED_DAYS)?.date.length, FETCHED_DAYS);
    assert.equal(read(FETCHED_DAYS + 1), undefined);
  });

  it('is read without a list that is absent: it has only null', () => {
    const stored = without({ ...forecast('UTC', '2026-11-23', 2) }, 'sunset');
    assert.deepEqual(DAILY_FORECAST.readValue(stored)?.sunset, [null, null]);
  });
});

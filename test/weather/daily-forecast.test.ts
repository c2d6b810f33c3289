import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAILY_FORECAST, nextDays, type DailyForecast } from '../../src/weather/daily-forecast.js';
import { storedKindContract } from '../contracts/stored-kind.contract.js';

const MINUTE_MS = 60_000;

/** Seven days from a date on, or another number of days. */
function forecast(timezone: string, first: string, count = 7): DailyForecast {
  const days = Array.from({ length: count }, (_, index) => ({
    date: new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10),
    temperature_min: 1,
    temperature_max: 2,
    condition: 'Overcast',
    precipitation_probability: null,
    sunrise: null,
    sunset: null,
  }));
  return { timezone, days };
}

const datesOf = (value: DailyForecast, now: number, count: number) =>
  nextDays(value, now, count).map(({ date }) => date);

/** Time zone, date, and the instant at which the date begins there. */
const MIDNIGHTS: [timeZone: string, date: string, begins: string][] = [
  ['Asia/Kathmandu', '2026-11-24', '2026-11-23T18:15Z'],
  ['Pacific/Kiritimati', '2026-11-24', '2026-11-23T10:00Z'],
  // Here the clock changes at midnight: the date begins at 01:00.
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00Z'],
];

describe('the next days of a forecast', () => {
  for (const [timeZone, date, begins] of MIDNIGHTS) {
    it(`begin with ${date} from ${begins} on in ${timeZone}`, () => {
      const yesterday = new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);
      const value = forecast(timeZone, yesterday);
      const midnight = Date.parse(begins);
      assert.deepEqual(datesOf(value, midnight - MINUTE_MS, 1), [yesterday]);
      assert.deepEqual(datesOf(value, midnight, 1), [date]);
    });
  }

  it('are as many as are requested, or as there are', () => {
    const value = forecast('UTC', '2026-11-23');
    const now = Date.parse('2026-11-24T12:00Z');
    assert.deepEqual(datesOf(value, now, 2), ['2026-11-24', '2026-11-25']);
    assert.equal(datesOf(value, now, 7).length, 6);
    assert.deepEqual(datesOf(value, Date.parse('2026-11-29T23:59Z'), 7), ['2026-11-29']);
    assert.equal(datesOf(forecast('America/Nowhere', '2026-11-23'), now, 7).length, 7);
  });

  it('are unavailable if all days are over', () => {
    const value = forecast('UTC', '2026-11-23');
    assert.throws(() => datesOf(value, Date.parse('2026-11-30T00:00Z'), 7), {
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
      assert.equal(DAILY_FORECAST.untilOver!(value, midnight - MINUTE_MS), MINUTE_MS);
      assert.equal(DAILY_FORECAST.untilOver!(value, midnight), 0);
      assert.equal(DAILY_FORECAST.untilOver!(value, midnight + MINUTE_MS), 0);
    }
  });
});

storedKindContract(DAILY_FORECAST, {
  key: 'forecast:52.5244:13.4105',
  request: '{"point":{"latitude":52.5244,"longitude":13.4105}}',
  values: [
    '{"timezone":"Europe/Berlin","days":[{"date":"2026-11-24","temperature_min":-1.5,"temperature_max":4,"condition":"Slight rain","precipitation_probability":100,"sunrise":"2026-11-24T07:44","sunset":"2026-11-24T15:59"}]}',
    '{"timezone":"America/Argentina/Buenos_Aires","days":[{"date":"2026-11-24","temperature_min":-1.5,"temperature_max":4,"condition":"Slight rain","precipitation_probability":100,"sunrise":null,"sunset":null,"precipitation":3.45,"wind_speed_max":30.1,"wind_gusts_max":null,"uv_index_max":0}]}',
    '{"timezone":"Etc/GMT-1","days":[{"date":"2026-11-24","temperature_min":4,"temperature_max":4,"condition":"Unknown","precipitation_probability":null,"sunrise":null,"sunset":null}]}',
  ],
  notRequests: ['null', '{}', '{"point":{"latitude":91,"longitude":0}}', '[52.5244,13.4105]'],
  notValues: [
    'null',
    '{"timezone":"Europe/Berlin","days":[]}',
    '{"timezone":"Europe Berlin","days":[{"date":"2026-11-24","temperature_min":4,"temperature_max":9,"condition":"Unknown","precipitation_probability":null,"sunrise":null,"sunset":null}]}',
    '{"timezone":"Europe/Berlin","days":[{"date":"2026-11-24","temperature_min":4,"temperature_max":9,"condition":"Unknown","precipitation_probability":null,"sunrise":null,"sunset":null,"precipitation":-1}]}',
    '{"timezone":"Europe/Berlin","days":[{"date":"2026-11-24","temperature_min":4,"temperature_max":9,"condition":"Unknown","precipitation_probability":null,"sunrise":null,"sunset":null,"wind_speed_max":"5 mph"}]}',
    '{"timezone":"Europe/Berlin","days":[{"date":"2026-11-24","temperature_min":4,"temperature_max":9,"condition":"Frogs","precipitation_probability":null,"sunrise":null,"sunset":null}]}',
    '{"timezone":"Europe/Berlin","days":[{"date":"2026-11-24","temperature_min":4,"temperature_max":99,"condition":"Unknown","precipitation_probability":null,"sunrise":null,"sunset":null}]}',
    '{"timezone":"Europe/Berlin","days":[{"date":"today","temperature_min":4,"temperature_max":9,"condition":"Unknown","precipitation_probability":null,"sunrise":null,"sunset":null}]}',
    '{"timezone":"Europe/Berlin","days":[{"date":"2026-11-24","temperature_min":4,"temperature_max":9,"condition":"Unknown","precipitation_probability":101,"sunrise":null,"sunset":null}]}',
    '{"timezone":"Europe/Berlin","days":[{"date":"2026-11-24","temperature_min":4,"temperature_max":9,"condition":"Unknown","precipitation_probability":null,"sunrise":"7:44","sunset":null}]}',
  ],
});

describe('a stored forecast', () => {
  it('is read with at most seven days', () => {
    const read = (count: number) => DAILY_FORECAST.readValue(forecast('UTC', '2026-11-23', count));
    assert.equal(read(7)?.days.length, 7);
    assert.equal(read(8), undefined);
  });
});

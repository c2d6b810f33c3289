import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAILY_FORECAST, nextDays, type DailyForecast } from '../../src/weather/daily-forecast.js';
import { keyOf } from '../../src/weather/kind.js';
import { pointRequest } from '../../src/weather/point.js';

const MINUTE_MS = 60_000;

/** Seven days from a date on. */
function forecast(timezone: string, first: string): DailyForecast {
  const days = Array.from({ length: 7 }, (_, index) => ({
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
  ['Etc/GMT+12', '2026-11-24', '2026-11-24T12:00Z'],
  ['Pacific/Pago_Pago', '2026-11-24', '2026-11-24T11:00Z'],
  ['America/Los_Angeles', '2026-11-24', '2026-11-24T08:00Z'],
  ['America/St_Johns', '2026-11-24', '2026-11-24T03:30Z'],
  ['Etc/GMT', '2026-11-24', '2026-11-24T00:00Z'],
  ['Asia/Kathmandu', '2026-11-24', '2026-11-23T18:15Z'],
  ['Pacific/Chatham', '2026-11-24', '2026-11-23T10:15Z'],
  ['Pacific/Kiritimati', '2026-11-24', '2026-11-23T10:00Z'],
  // Days on which the clock changes, and the days after them.
  ['America/New_York', '2026-03-08', '2026-03-08T05:00Z'],
  ['America/New_York', '2026-03-09', '2026-03-09T04:00Z'],
  ['America/New_York', '2026-11-01', '2026-11-01T04:00Z'],
  ['America/New_York', '2026-11-02', '2026-11-02T05:00Z'],
  ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00Z'],
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
    assert.deepEqual(datesOf(value, Date.parse('2026-12-24T12:00Z'), 7), []);
  });

  it('are all days if this version of Node.js does not know the time zone', () => {
    const value = forecast('America/Nowhere', '2026-11-24');
    assert.equal(datesOf(value, Date.parse('2027-01-01'), 7).length, 7);
  });
});

it('a forecast of a point has one key, which is not that of current weather', () => {
  const keys = [
    { latitude: 59.91273, longitude: 180 },
    { latitude: 59.91271, longitude: -180 },
  ].map((point) => keyOf(DAILY_FORECAST, pointRequest(point)));
  assert.deepEqual(keys, ['forecast:59.9127:-180.0000', 'forecast:59.9127:-180.0000']);
});

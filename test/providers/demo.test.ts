import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDemo } from '../../src/providers/demo.js';
import { codeOf } from '../../src/weather/conditions.js';
import { HOUR_MS } from '../../src/weather/durations.js';
import { nextHours } from '../../src/weather/hourly-forecast.js';
import { POINT_KINDS } from '../../src/weather/kinds.js';
import { localDate } from '../../src/weather/local-time.js';
import { manualClock } from '../support/manual-clock.js';

const { signal } = new AbortController();
let inventions = 0;
const at = (time: string) => createDemo(manualClock(Date.parse(time)), () => (inventions += 1));

/** Temperature, condition, humidity, and wind speed, the same for an hour. A change of the formulas changes them. */
const INVENTED: [time: string, latitude: number, longitude: number, ...values: unknown[]][] = [
  ['2026-01-15T05:59Z', 60, 25, -21.5, 'Overcast', 43, 11.9],
  ['2026-07-15T15:00Z', -33.9, 151.2, 8.7, 'Light drizzle', 89, 7.2],
  ['2026-07-15T15:00Z', 0, 0, 28.9, 'Clear sky', 52, 18.9],
];

describe('the demo provider', () => {
  it('invents weather that depends on latitude, season, and time of day', async () => {
    for (const [time, latitude, longitude, ...values] of INVENTED) {
      const before = inventions;
      const { value } = await at(time).current({ latitude, longitude }, signal);
      assert.equal(inventions, before + 1);
      assert.deepEqual(
        [value.temperature, value.condition, value.humidity, value.wind_speed],
        values,
      );
    }
  });

  it('invents every kind of sky, with snow only where it is cold', async () => {
    const skies = async (latitude: number) => {
      const codes = new Set<number>();
      for (let hour = 0; hour < 2000; hour += 1) {
        const time = new Date(Date.UTC(2026, 0, 1, hour)).toISOString();
        const { value } = await at(time).current({ latitude, longitude: 0 }, signal);
        codes.add(codeOf(value.condition) ?? NaN);
      }
      return [...codes].sort((a, b) => a - b);
    };
    assert.deepEqual(await skies(0), [0, 1, 2, 3, 45, 51, 61, 63, 80, 95]);
    assert.deepEqual(await skies(80), [0, 1, 2, 3, 45, 71, 73, 75, 85]);
  });

  it('invents seven days from the local date on', async () => {
    const point = { latitude: 70, longitude: -150 };
    const before = inventions;
    const { timezone, days } = (await at('2026-03-15T02:00Z').daily(point, signal)).value;
    assert.equal(inventions, before + 1);
    assert.equal(timezone, 'America/Anchorage');
    assert.deepEqual(
      days.map(({ date }) => date.slice('2026-03-'.length)),
      ['14', '15', '16', '17', '18', '19', '20'],
    );
    const { sunrise, sunset } = days[0]!;
    assert.deepEqual([sunrise, sunset], ['2026-03-14T08:25', '2026-03-14T19:55']);
  });

  it('invents present, hours, and days that agree', async () => {
    for (const [latitude, longitude] of [
      [59.9, 10.7],
      [-33.9, 151.2],
      [27.7, 85.3],
      [0, -179.9],
      [78.2, 15.6],
    ] as const) {
      for (let hour = 0; hour < 400; hour += 7) {
        const now = Date.UTC(2026, 2, 20, hour, 41);
        const demo = at(new Date(now).toISOString());
        const point = { latitude, longitude };
        const { value: weather } = await demo.current(point, signal);
        const { value: daily } = await demo.daily(point, signal);
        const { value: hourly } = await demo.hourly(point, signal);
        const what = `${latitude} ${longitude} ${new Date(now).toISOString()}`;

        const hours = nextHours(hourly, now, 48);
        assert.equal(hours.length, 48);
        for (const name of [
          'time',
          'temperature',
          'condition',
          'humidity',
          'wind_gusts',
        ] as const) {
          assert.equal(hours[0]![name], weather[name], `${name} ${what}`);
        }
        const dateOf = (time: number) => localDate(daily.timezone, time);
        assert.equal(daily.days[0]!.date, dateOf(now), what);
        for (const each of hours) {
          const day = daily.days.find(({ date }) => date === dateOf(Math.max(each.time, now)));
          assert.ok(day, what);
          assert.ok(each.temperature >= day.temperature_min, what);
          assert.ok(each.temperature <= day.temperature_max, what);
          assert.ok(codeOf(each.condition)! <= codeOf(day.condition)!, what);
          assert.ok(each.wind_gusts! <= day.wind_gusts_max!, what);
          assert.ok(each.precipitation_probability! <= day.precipitation_probability!, what);
        }
        const tomorrow = daily.days[1]!;
        const of = hours.filter(({ time }) => dateOf(time) === tomorrow.date);
        const sum = of.reduce((total, each) => total + each.precipitation!, 0);
        assert.equal(Number(sum.toFixed(2)), tomorrow.precipitation, what);
        assert.ok(weather.time! <= now && weather.time! > now - HOUR_MS);
      }
    }
  });

  it('invents a value for every member, and values that may be stored', async () => {
    const point = { latitude: 48.1, longitude: 11.6 };
    const demo = at('2026-06-15T11:20Z');
    for (const { kind, ability } of POINT_KINDS) {
      const { value } = await demo[ability](point, signal);
      assert.deepEqual(kind.readValue(JSON.parse(JSON.stringify(value))), value, kind.name);
      assert.doesNotMatch(JSON.stringify(value), /null/);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDemo } from '../../src/providers/demo.js';
import { HOUR_MS } from '../../src/weather/time/durations.js';
import { POINT_KINDS } from '../../src/weather/kinds/kinds.js';
import { localDate } from '../../src/weather/time/local-time.js';
import { manualClock } from '../support/manual-clock.js';
import { without } from '../support/without.js';
import { stepsIn } from '../support/steps.js';
import { zoned } from '../support/zoned.js';

const { signal } = new AbortController();
let inventions = 0;
const at = (now: number) =>
  createDemo({ clock: manualClock(now), log: { warn: () => (inventions += 1) } });

const POINTS = [
  { latitude: 59.9, longitude: 10.7 },
  { latitude: -33.9, longitude: 151.2 },
  { latitude: 27.7, longitude: 85.3 },
  { latitude: 0, longitude: -179.9 },
  { latitude: 78.2, longitude: 15.6 },
].map(zoned);

describe('the demo provider', () => {
  it('invents current weather, hours, and days that agree', async () => {
    for (const point of POINTS) {
      for (let hour = 0; hour < 400; hour += 131) {
        const now = Date.UTC(2026, 2, 20, hour, 41);
        const demo = at(now);
        const { value: weather } = await demo.current(point, signal);
        const { value: daily } = await demo.daily(point, signal);
        const { value: hourly } = await demo.hourly(point, signal);
        const days = stepsIn(daily);
        const [first, ...hours] = stepsIn(hourly);
        const what = `${point.latitude} ${point.longitude} ${new Date(now).toISOString()}`;
        for (const name of ['time', 'temperature', 'humidity', 'wind_gusts'] as const) {
          assert.equal(first![name], weather[name], `${name} ${what}`);
        }
        assert.equal(days[0]!.date, localDate(daily.timezone, now), what);
        for (const each of hours) {
          const day = days.find(({ date }) => date === localDate(daily.timezone, each.time));
          if (!day) continue;
          assert.ok(each.temperature >= day.temperature_min!, what);
          assert.ok(each.temperature <= day.temperature_max, what);
          assert.ok(each.wind_gusts! <= day.wind_gusts_max!, what);
        }
        assert.ok(weather.time <= now && weather.time > now - HOUR_MS);
      }
    }
  });

  it('invents a value for every member, and values that may be stored', async () => {
    const point = zoned({ latitude: 48.1, longitude: 11.6 });
    const demo = at(Date.parse('2026-06-15T11:20Z'));
    for (const { kind, ability } of POINT_KINDS) {
      const { value } = await demo[ability](point, signal);
      assert.deepEqual(kind.readValue(JSON.parse(JSON.stringify(value))), value, kind.name);
      const others = without({ ...value }, 'wind_direction', 'moonrise', 'moonset', 'station');
      assert.doesNotMatch(JSON.stringify(others), /null/);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDemo } from '../../src/providers/demo.js';
import { conditionOf } from '../../src/weather/conditions.js';
import { assertWithin } from '../support/assert-within.js';
import { manualClock } from '../support/manual-clock.js';

const { signal } = new AbortController();
const KNOWN = new Set(Array.from({ length: 100 }, (_, code) => conditionOf(code)));
let inventions = 0;
const at = (time: string) => createDemo(manualClock(Date.parse(time)), () => (inventions += 1));

async function meanTemperature(latitude: number, month: string, hour = '12'): Promise<number> {
  let sum = 0;
  for (let day = 1; day <= 28; day += 1) {
    const time = `2026-${month}-${String(day).padStart(2, '0')}T${hour}:00:00Z`;
    sum += (await at(time).current({ latitude, longitude: 0 }, signal)).value.temperature;
  }
  return sum / 28;
}

describe('the demo provider', () => {
  it('reports each time that it invents weather', async () => {
    const demo = at('2026-11-21T10:00:00Z');
    const before = inventions;
    await demo.current({ latitude: 1, longitude: 2 }, signal);
    await demo.daily({ latitude: 1, longitude: 2 }, signal);
    assert.equal(inventions - before, 2);
  });

  it('invents the same weather for a place during an hour, and different weather in the next hour', async () => {
    const point = { latitude: 51.5085, longitude: -0.1257 };
    const first = await at('2026-11-21T10:00:00Z').current(point, signal);
    assert.deepEqual(await at('2026-11-21T10:59:59Z').current(point, signal), first);
    assert.notDeepEqual(await at('2026-11-21T11:00:00Z').current(point, signal), first);
    const near = await at('2026-11-21T10:00:00Z').current({ ...point, latitude: 51.6 }, signal);
    assert.notDeepEqual(near, first);
  });

  it('invents only plausible weather, everywhere and always', async () => {
    for (const time of ['2026-01-15T05:00Z', '2026-07-15T15:00Z']) {
      for (let latitude = -90; latitude <= 90; latitude += 10) {
        for (let longitude = -180; longitude <= 180; longitude += 30) {
          const { value: weather } = await at(time).current({ latitude, longitude }, signal);
          assertWithin(weather.temperature, -100, 50);
          assertWithin(weather.humidity, 0, 100);
          assertWithin(weather.wind_speed, 0, 60);
          assert.ok(KNOWN.has(weather.condition) && weather.condition !== 'Unknown');
          assert.ok(!weather.condition.includes('snow') || weather.temperature < 0.5);
        }
      }
    }
  });

  it('invents seven plausible days from the local date on, the same for a day', async () => {
    for (const [longitude, first] of [
      [-179, '2026-11-23'],
      [0, '2026-11-24'],
      [170, '2026-11-24'],
    ] as const) {
      const point = { latitude: 30, longitude };
      const { days } = (await at('2026-11-24T10:30:00Z').daily(point, signal)).value;
      assert.equal(days[0]?.date, first);
      assert.equal(new Set(days.map(({ date }) => date)).size, 7);
      for (const day of days) {
        assert.ok(day.temperature_max - day.temperature_min >= 8);
        assert.ok(KNOWN.has(day.condition));
        assertWithin(day.precipitation_probability!, 0, 100);
      }
      const later = (await at('2026-11-24T10:59:00Z').daily(point, signal)).value;
      assert.deepEqual(later.days, days);
    }
  });

  it('depends on the seasons of both hemispheres, the latitude, and the time of day', async () => {
    assert.ok((await meanTemperature(50, '07')) > (await meanTemperature(50, '01')) + 10);
    assert.ok((await meanTemperature(-50, '01')) > (await meanTemperature(-50, '07')) + 10);
    assert.ok((await meanTemperature(0, '01')) > (await meanTemperature(60, '07')));
    assert.ok(
      (await meanTemperature(40, '04', '15')) > (await meanTemperature(40, '04', '03')) + 4,
    );
  });
});

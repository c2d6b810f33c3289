import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDemo } from '../../src/providers/demo.js';
import { codeOf } from '../../src/weather/conditions.js';
import { manualClock } from '../support/manual-clock.js';

const { signal } = new AbortController();
let inventions = 0;
const at = (time: string) => createDemo(manualClock(Date.parse(time)), () => (inventions += 1));

/** Temperature, condition, humidity, and wind speed, the same for an hour. A change of the formulas changes them. */
const INVENTED: [time: string, latitude: number, longitude: number, ...values: unknown[]][] = [
  ['2026-01-15T05:59Z', 60, 25, -19.3, 'Slight snow fall', 89, 5],
  ['2026-07-15T15:00Z', -33.9, 151.2, 5.5, 'Mainly clear', 62, 28.2],
  ['2026-07-15T15:00Z', 0, 0, 33.1, 'Partly cloudy', 49, 25.8],
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
      for (let hour = 0; hour < 200; hour += 1) {
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
    assert.deepEqual([timezone, days.length], ['America/Anchorage', 7]);
    assert.deepEqual(days[0], {
      date: '2026-03-14',
      temperature_min: -27.3,
      temperature_max: -18.5,
      condition: 'Moderate snow fall',
      precipitation_probability: 53,
      sunrise: '2026-03-14T08:25',
      sunset: '2026-03-14T19:55',
    });
    assert.equal(days[1]?.precipitation_probability, 42);
  });
});

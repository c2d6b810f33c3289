import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  METAR,
  NAME,
  weatherOf,
} from '../../../src/providers/aviation-weather/aviation-weather-metar.js';
import { validate } from '../../../src/upstream/schema.js';
import recorded from './recorded.json' with { type: 'json' };

/**
 * What reports of 2025 and 2026 say, read by hand: temperature, humidity (by a table of dew
 * points), code, clouds, wind in km/h and its direction, gusts, pressure, visibility.
 */
const SAYS: Record<string, (number | undefined)[]> = {
  KMCI: [30, 46, 1, 19, 5.6, undefined, undefined, 1015.3, undefined],
  ENGM: [3, 93, 61, 100, 14.8, 180, undefined, 998, 7998],
  KJFK: [23.3, 91, 95, 100, 20.4, 170, 37, 1017, 11265],
  EFHK: [14, 100, 45, 100, 5.6, 360, undefined, undefined, 306],
  // Its wind is not reported, so the report is not usable.
  KABR: [27.2, 61, undefined, undefined, undefined, undefined, undefined, undefined, undefined],
  KK82: [33.3, 43, 0, undefined, 24.1, 190, 35.2, undefined, undefined],
  ZUCK: [40, 36, 1, 19, 14.8, 80, undefined, undefined, undefined],
};

const round = (value: number | null | undefined, digits: number) =>
  value == null ? undefined : Number(value.toFixed(digits));

it('a recorded report says what a reader of its text says', () => {
  const now = 1_800_000_000;
  for (const report of recorded as { icaoId: string; obsTime?: number }[]) {
    const metar = validate(NAME, METAR, { ...report, obsTime: now });
    const read = weatherOf(metar, 2, now * 1000)!;
    assert.deepEqual(
      [
        round(read.temperature, 1),
        round(read.humidity, 0),
        read.weather_code ?? undefined,
        read.cloud_cover ?? undefined,
        round(read.wind_speed, 1),
        read.wind_direction ?? undefined,
        round(read.wind_gusts, 1),
        read.pressure ?? undefined,
        round(read.visibility, 0),
      ],
      SAYS[report.icaoId],
      report.icaoId,
    );
  }
  assert.equal(recorded.length, Object.keys(SAYS).length);
});

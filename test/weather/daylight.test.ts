import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDaylight } from '../../src/weather/daylight.js';

/** Published sunrise and sunset, UTC. The formulas are accurate to a few minutes. */
// prettier-ignore
const SUN: [place: string, latitude: number, longitude: number, rise: string, set: string][] = [
  ['Greenwich', 51.48, 0, '2026-06-21T03:43Z', '2026-06-21T20:21Z'],
  ['Greenwich', 51.48, 0, '2026-12-21T08:04Z', '2026-12-21T15:53Z'],
  ['the equator', 0, 0, '2026-03-20T06:04Z', '2026-03-20T18:10Z'],
  ['Sydney', -33.87, 151.21, '2026-12-20T18:41Z', '2026-12-21T09:05Z'],
];
const MINUTES = 60_000;

describe('daylight', () => {
  for (const [place, latitude, longitude, rise, set] of SUN) {
    it(`at ${place} lasts from ${rise} to ${set}`, () => {
      const isDay = (at: number) => isDaylight({ latitude, longitude }, at);
      const [up, down] = [Date.parse(rise), Date.parse(set)];
      assert.deepEqual(
        [up - 8 * MINUTES, up + 8 * MINUTES, down - 8 * MINUTES, down + 8 * MINUTES].map(isDay),
        [false, true, true, false],
      );
    });
  }

  it('never ends in the summer of the Arctic, and never begins in its winter', () => {
    const day = (date: string) =>
      Array.from({ length: 24 }, (_, hour) =>
        isDaylight({ latitude: 78.2, longitude: 15.6 }, Date.parse(date) + hour * 60 * MINUTES),
      );
    assert.ok(day('2026-06-21').every(Boolean));
    assert.ok(!day('2026-12-21').some(Boolean));
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { timeZoneAt } from '../../src/providers/time-zone.js';

/** Places near the date line, and at sea. */
const ZONES: [place: string, latitude: number, longitude: number, timeZone: string][] = [
  ['Apia', -13.8333, -171.7667, 'Pacific/Apia'],
  ['Kiritimati', 1.98, -157.47, 'Pacific/Kiritimati'],
  ['the 180th meridian in Fiji', -16.8, 180, 'Pacific/Fiji'],
  ['the sea', 0.2, -176.4, 'Etc/GMT+12'],
];

for (const [place, latitude, longitude, timeZone] of ZONES) {
  it(`the time zone of ${place} is ${timeZone}`, () => {
    assert.equal(timeZoneAt({ latitude, longitude }), timeZone);
  });
}

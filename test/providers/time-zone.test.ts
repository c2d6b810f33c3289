import assert from 'node:assert/strict';
import { it } from 'node:test';
import { timeZoneAt } from '../../src/providers/time-zone.js';

it('the 180th meridian has one time zone, and the sea has one', () => {
  for (const longitude of [180, -180]) {
    assert.equal(timeZoneAt({ latitude: -16.8, longitude }), 'Pacific/Fiji');
  }
  assert.equal(timeZoneAt({ latitude: 0.2, longitude: -176.4 }), 'Etc/GMT+12');
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTimeZone } from '../../src/weather/time/local-time.js';
import { gazetteer } from '../support/gazetteer.js';
import { BORDER_TOWNS } from '../support/border-towns.js';

describe('the time zone of a place', () => {
  for (const [city, country, timeZone] of BORDER_TOWNS) {
    it(`is the same by name and by coordinates: ${city}`, () => {
      const match = gazetteer.findCity(city, country);
      assert.ok(match.kind === 'found');
      assert.equal(match.place.timeZone, timeZone);
      assert.equal(gazetteer.nearest(match.place)?.timeZone, timeZone);
    });
  }

  it('is that of the nearest place of the country of a point', () => {
    // Between Narva and Ivangorod, a kilometer apart.
    assert.equal(zoneAt(59.376, 28.195), 'Europe/Tallinn');
    assert.equal(zoneAt(59.374, 28.21), 'Europe/Moscow');
  });

  it('is unknown farther than 50 km from any place', () => {
    assert.equal(zoneAt(23, 10), undefined);
    assert.equal(zoneAt(-25, 127), undefined);
  });

  it('is known to Node.js, whatever the source calls it', () => {
    for (const [, , timeZone] of BORDER_TOWNS) assert.ok(isTimeZone(timeZone), timeZone);
  });
});

function zoneAt(latitude: number, longitude: number): string | undefined {
  return gazetteer.nearest({ latitude, longitude })?.timeZone;
}

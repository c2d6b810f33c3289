import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadGazetteer } from '../../src/places/gazetteer.js';
import { MAX_NEAR_ENTRIES } from '../../src/weather/cache-entry.js';
import { builtGazetteer } from '../../tools/places/built-gazetteer.js';

const gazetteer = loadGazetteer(builtGazetteer());

describe('results of the gazetteer', () => {
  it('for a point are memoized for as many points as the near cache has entries', () => {
    const points = Array.from({ length: MAX_NEAR_ENTRIES }, (_, i) => ({
      latitude: 50 + i / 1e5,
      longitude: 10,
    }));
    const before = points.map((point) => gazetteer.nearest(point));
    assert.ok(points.every((point, i) => gazetteer.nearest({ ...point }) === before[i]));
  });

  it('for a name are memoized, except for very long names', () => {
    const first = gazetteer.findCity('Berlin', 'Germany');
    for (let i = 1; i < MAX_NEAR_ENTRIES; i++) gazetteer.findCity('Berlin', `Nowhere ${i}`);
    assert.equal(gazetteer.findCity('Berlin', 'Germany'), first);
    const long = 'x'.repeat(100);
    assert.notEqual(gazetteer.findCity(long, 'Germany'), gazetteer.findCity(long, 'Germany'));
  });
});

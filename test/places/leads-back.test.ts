import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { distancesFrom } from '../../src/places/distance.js';
import { readGazetteerFile } from '../../src/places/gazetteer-file.js';
import { loadGazetteer } from '../../src/places/gazetteer.js';
import { cleanName } from '../../src/place-names.js';
import { SEED } from '../support/seed.js';
import { builtGazetteer } from '../../tools/places/built-gazetteer.js';

const file = builtGazetteer();
const data = readGazetteerFile(file);
const gazetteer = loadGazetteer(file);

/** Within this distance the weather is the same. */
const NEAR_KM = 30;
/** Each seed tests one part of the places, because all of them take ten seconds. */
const PARTS = 8;

describe('the name of each point', () => {
  it('is a valid name, and finds a place near the named place', () => {
    const wrong: string[] = [];
    let tested = 0;
    for (const [i, place] of data.spatialPlaces.entries()) {
      if ((i + SEED) % PARTS !== 0) continue;
      const [latitude, longitude] = [data.latitude[place]! / 1e5, data.longitude[place]! / 1e5];
      const named = gazetteer.nearest({ latitude, longitude });
      if (!named) continue;
      tested++;
      const cleaned = cleanName(named.city);
      const match = gazetteer.findCity(named.city, named.country);
      if (
        !cleaned.ok ||
        cleaned.name !== named.city ||
        match.kind !== 'found' ||
        distancesFrom(named)(match.place.latitude, match.place.longitude) > NEAR_KM
      ) {
        wrong.push(`${named.city}, ${named.country}`);
      }
    }
    assert.ok(tested > 20_000, `${tested} points`);
    assert.deepEqual(wrong, []);
  });

  it('has an apostrophe instead of a sign of transliteration', () => {
    const named = gazetteer.nearest({ latitude: 33.44, longitude: 36.39 });
    assert.equal(named?.city, 'Dayr al ’Aşāfīr');
  });
});

import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { readGazetteerFile } from '../../src/places/gazetteer-file.js';
import { loadGazetteer } from '../../src/places/gazetteer.js';
import { displayName } from '../../src/places/display-name.js';
import { fold } from '../../src/places/fold.js';
import { cleanName } from '../../src/place-names.js';
import { measureHandWritten } from '../../tools/places/queries/report.js';
import { builtGazetteer } from '../../tools/places/built-gazetteer.js';
import { percent, type Accuracy } from '../../tools/places/queries/measure.js';
import { rowsOf, sectionOf } from '../support/markdown.js';

const file = builtGazetteer();
const gazetteer = loadGazetteer(file);
const readme = readFileSync(new URL('../../src/places/README.md', import.meta.url), 'utf8');

describe('the hand-written queries that find the correct place', () => {
  let measured: Map<string, Accuracy>;
  before(() => {
    measured = new Map(measureHandWritten(gazetteer).map((row) => [row.what, row]));
  });

  const demands: [what: string, least: number][] = [
    ['town and region, many countries', 99],
    ['towns in the language of their country', 97],
    ['islands and small states', 77],
    ['villages and resorts', 82],
    ['parks, lakes and sights', 18],
    ['famous names, territories, other names of countries', 99],
    ['native and long forms, abbreviations', 96],
    ['suggestions after 3 letters', 96],
    ['suggestions after 4 letters', 99],
    ['suggestions after 5 letters', 99],
    ['misspelled names: the correct one is suggested', 99],
    ['misspelled names: not another place', 100],
  ];
  for (const [what, least] of demands) {
    it(`are at least ${least} % of: ${what}`, () => {
      const row = measured.get(what);
      assert.ok(row, what);
      assert.ok(percent(row) >= least, `${percent(row)} %\n${row.wrong.join('\n')}`);
    });
  }

  it('have the figures of src/places/README.md', () => {
    const rows = rowsOf(sectionOf(readme, '### What people type')).slice(0, demands.length);
    assert.deepEqual(
      rows.map(([, correct, of]) => [correct, of]),
      [...measured.values()].map((row) => [`${percent(row).toFixed(1)} %`, String(row.total)]),
    );
  });
});

const data = readGazetteerFile(file);

describe('the gazetteer', () => {
  it('has the size that src/places/README.md states', () => {
    const [places, names] = [data.population, data.list].map((all) =>
      all.length.toLocaleString('en'),
    );
    assert.ok(
      readme.includes(`gazetteer: ${places} places with ${names} names`),
      `${places} ${names}`,
    );
    const [, size] = rowsOf(sectionOf(readme, '## Cost'))[0] ?? [];
    assert.match(String(size), new RegExp(`^${(statSync(file).size / 1e6).toFixed(1)} MB`));
  });
});

describe('the main name of each place above 15,000 people', () => {
  const isWhole = new Set(data.spatialPlaces);

  it('finds a place of this main name, or a place that is ten times as large', () => {
    const places = new Map<string, number>();
    for (let place = 0; place < data.country.length; place++) {
      places.set(
        `${data.latitude[place]} ${data.longitude[place]} ${displayName(data, place)}`,
        place,
      );
    }
    const wrong: string[] = [];
    let tested = 0;
    for (let place = 0; place < data.country.length; place++) {
      const people = data.population[place]!;
      const name = displayName(data, place);
      // Other places come before a part of a city.
      if (people <= 15_000 || !isWhole.has(place) || !cleanName(name).ok) continue;
      tested++;
      const country = data.countries[data.country[place]!]!.code;
      const match = gazetteer.findCity(name, country);
      if (match.kind !== 'found') {
        wrong.push(`${name}, ${country}: ${match.kind}`);
        continue;
      }
      const { latitude, longitude, city } = match.place;
      const key = `${Math.round(latitude * 1e5)} ${Math.round(longitude * 1e5)} ${city}`;
      const found = places.get(key) ?? NaN;
      const isLarger = data.population[found]! >= 10 * people;
      if (fold(city) === fold(name) || isLarger) continue;
      wrong.push(`${name}, ${country} (${people}): ${city} (${data.population[found]})`);
    }
    assert.ok(tested > 25_000, `${tested} places`);
    assert.deepEqual(wrong, []);
  });
});

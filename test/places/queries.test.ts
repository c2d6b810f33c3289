import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { describe, it } from 'node:test';
import { loadGazetteer } from '../../src/places/gazetteer.js';
import { displayName } from '../../src/places/data/place-record.js';
import { areasNamed } from '../../src/places/names/countries.js';
import { findInArea } from '../../src/places/find/find-place.js';
import { loadPlaceData } from '../../src/places/place-data.js';
import { fold } from '../../src/places/names/fold.js';
import { cleanName } from '../../src/text/place-names.js';
import { measureHandWritten } from '../../tools/places/queries/report.js';
import { builtGazetteer } from '../../tools/places/built-gazetteer.js';
import { percent } from '../../tools/places/queries/measure.js';
import { rowsOf, sectionOf } from '../support/markdown.js';

const file = builtGazetteer();
const gazetteer = loadGazetteer(file);
const readme = readFileSync(new URL('../../src/places/README.md', import.meta.url), 'utf8');

describe('the hand-written queries that find the correct place', () => {
  it('have the figures of src/places/README.md', () => {
    const measured = measureHandWritten(gazetteer);
    const rows = rowsOf(sectionOf(readme, '### What people type')).slice(0, 12);
    assert.deepEqual(
      rows.map(([, correct, of]) => [correct, of]),
      measured.map((row) => [`${percent(row).toFixed(1)} %`, String(row.total)]),
    );
  });
});

const data = loadPlaceData(file);

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
  const areaNames = new Set([
    ...data.countries.map(({ code, name }) => `${code}:${fold(name)}`),
    ...data.regions.slice(0, data.lastDivision).map((name, i) => {
      return `${data.countries[data.regionCountry[i + 1]!]!.code}:${fold(name)}`;
    }),
  ]);

  it('finds a place of this main name, or a place that is ten times as large', () => {
    const wrong: string[] = [];
    let tested = 0;
    for (let place = 0; place < data.country.length; place++) {
      const people = data.population[place]!;
      const name = displayName(data, place);
      // Other places come before a part of a city.
      if (people <= 15_000 || !isWhole.has(place) || !cleanName(name).ok) continue;
      const country = data.countries[data.country[place]!]!.code;
      // A region comes before a town of its name in another region: Oregon in Ohio.
      if (areaNames.has(`${country}:${fold(name)}`)) continue;
      tested++;
      const [area] = areasNamed(data, country);
      const found = findInArea(data, name, area!);
      const city = found === undefined ? 'nothing' : displayName(data, found);
      const size = data.population[found ?? -1] ?? 0;
      const isLarger = size >= 10 * people;
      if (fold(city) === fold(name) || isLarger) continue;
      wrong.push(`${name}, ${country} (${people}): ${city} (${size})`);
    }
    assert.ok(tested > 25_000, `${tested} places`);
    assert.deepEqual(wrong, []);
  });
});

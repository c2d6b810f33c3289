import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { readZoneCities } from '../../../tools/gazetteer/zone-cities.js';
import type { Extract } from '../../../tools/gazetteer/zone-cities/extract.js';

const FOLDER = new URL('../../../tools/gazetteer/zone-cities/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');

describe('the extract of the names of time-zone cities', () => {
  const extract = JSON.parse(read('zone-cities.json')) as Extract;

  it('has cities of ISO countries, each with names in locales of CLDR', () => {
    assert.ok(extract.cities.length > 400);
    for (const { country, english, names } of extract.cities) {
      assert.match(country, /^[A-Z]{2}$/, english);
      assert.ok(english !== '' && names.length > 0, english);
      for (const [name, locales] of names) {
        assert.notEqual(name, '');
        assert.match(locales, /^[a-z]{2,3}(-\w+)*( [a-z]{2,3}(-\w+)*)*$/, name);
      }
    }
  });

  it('gives each city its names in many scripts', () => {
    const paris = readZoneCities().find(({ country }) => country === 'FR');
    const nameIn = (locale: string) =>
      paris?.names.find(({ locales }) => locales.includes(locale))?.name;
    assert.equal(paris?.english, 'Paris');
    assert.equal(nameIn('ru'), 'Париж');
    assert.equal(nameIn('ja'), 'パリ');
  });
});

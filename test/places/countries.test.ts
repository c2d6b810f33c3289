import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { areasNamed, countryNamed } from '../../src/places/names/countries.js';
import { loadPlaceData } from '../../src/places/place-data.js';
import { builtGazetteer } from '../../tools/places/built-gazetteer.js';

const data = loadPlaceData(builtGazetteer());
const codeOf = (name: string) => countryNamed(data, name)?.codes[0];

const NAMES = readFileSync(new URL('country-names.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' | '));

describe('countries by name', () => {
  for (const [code = '', ...names] of NAMES) {
    it(`finds ${code} by ${names.join(', ')}`, () => {
      for (const name of names) assert.equal(codeOf(name), code, name);
    });
  }

  it('finds every ISO 3166-1 code, alpha-2 and alpha-3, in either case', () => {
    const require = createRequire(import.meta.url);
    const iso = require('i18n-iso-countries') as { getAlpha2Codes(): Record<string, string> };
    for (const [alpha2, alpha3] of Object.entries(iso.getAlpha2Codes())) {
      for (const code of [alpha2, alpha2.toLowerCase(), alpha3, alpha3.toLowerCase()]) {
        assert.equal(codeOf(code), alpha2, code);
      }
    }
  });

  it('finds each country by its display name', () => {
    for (const { code, name } of data.countries) assert.equal(codeOf(name), code, name);
  });

  it('finds no code in a text with an accent or in another script, but names', () => {
    for (const text of [
      'Ín',
      'Dè',
      'ÚŠ',
      'æ',
      'ß',
      'СА',
      'ΙΤ',
      'Гр',
      'U\u0301S',
      '𝐔𝐒',
      'Wà',
      'Cá',
    ]) {
      assert.deepEqual([...areasNamed(data, text)], [], text);
    }
    for (const [name, code] of [
      ['Mỹ', 'US'],
      ['Bỉ', 'BE'],
      ['Áo', 'AT'],
      ['Lào', 'LA'],
      // A capital letter makes a word of three letters a name: ISO 3166-1 has NGA for Nigeria.
      ['Nga', 'RU'],
      ['nga', 'NG'],
      ['My', 'MY'],
      ['Usa', 'US'],
      ['R.U.', 'GB'],
      ['N.Z.', 'NZ'],
      ['D. E.', 'DE'],
      ['AND', 'AD'],
      ['et', 'ET'],
    ] as const) {
      assert.equal(codeOf(name), code, name);
    }
  });

  it('finds a name with a remark in parentheses', () => {
    const areas = (name: string) =>
      [...areasNamed(data, name)].map(({ codes: [code], region }) =>
        region === undefined ? code : `${code} ${data.regions[region - 1]}`,
      );
    for (const [name, code] of [
      ['Myanmar (Burma)', 'MM'],
      ['Burma (Myanmar)', 'MM'],
      ['Congo (Kinshasa)', 'CD'],
      ['Congo (Brazzaville)', 'CG'],
      ['Korea (South)', 'KR'],
      ['Korea (North)', 'KP'],
      ["Korea (Democratic People's Republic of)", 'KP'],
      ['Micronesia (Federated States of)', 'FM'],
      ['Sudan (South)', 'SS'],
      ['Samoa (American)', 'AS'],
      ['Virgin Islands (British)', 'VG'],
      ['Virgin Islands (U.S.)', 'VI'],
      ['Netherlands (the)', 'NL'],
      ['Hong Kong (China)', 'HK'],
      ['Czechia (Česko)', 'CZ'],
      ['Georgia (USA)', 'US Georgia'],
      ['Punjab (Pakistan)', 'PK Punjab'],
      ['Luxembourg (Belgium)', 'BE Province du Luxembourg'],
    ] as const) {
      assert.equal(areas(name)[0], code, name);
    }
    assert.deepEqual(areas('Atlantis (Greece)'), []);
  });

  it('finds a name without its articles, and with another word for "and" and "Saint"', () => {
    for (const [code, ...names] of [
      ['VC', 'St. Vincent and Grenadines', 'Sankt Vincent und die Grenadinen'],
      ['VC', 'Saint-Vincent et Grenadines', 'Saint Vincent Grenadines'],
      ['BA', 'Bosnia Herzegovina', 'Bosnia und Herzegovina'],
      ['TT', 'Trinidad et Tobago', 'Trinidad og Tobago'],
      ['AG', 'Antigua och Barbuda', 'Antigua Barbuda'],
      ['GS', 'South Georgia and South Sandwich Islands'],
      ['KN', 'Sint Kitts and Nevis', 'Sankt Kitts und Nevis'],
      ['CD', 'Democratic Republic of Congo'],
      ['BS', 'Bahamas', 'The Bahamas', 'Bahamas, the'],
      ['GB', 'The United Kingdom'],
    ] as const) {
      for (const name of names) assert.equal(codeOf(name), code, name);
    }
  });

  it('finds nothing for a text that is not a country', () => {
    for (const name of [
      '',
      'the',
      ', The',
      'the and',
      '(',
      '()',
      'Republic of',
      'Atlantis',
      'Paris',
      'Springfield',
    ]) {
      assert.equal(countryNamed(data, name), undefined, name);
    }
    assert.deepEqual([...areasNamed(data, 'Springfield')], []);
  });

  it('finds the country of a region, and no region by the code of a country', () => {
    const areas = (name: string) => [...areasNamed(data, name)].map(({ codes: [code] }) => code);
    assert.equal(areas('Hawaii')[0], 'US');
    assert.equal(areas('Bayern')[0], 'DE');
    assert.deepEqual(areas('Georgia').slice(0, 2), ['GE', 'US']);
    assert.deepEqual(areas('Punjab').slice(0, 2).sort(), ['IN', 'PK']);
    assert.deepEqual(areas('IN'), ['IN']);
    assert.deepEqual(areas('Atlantis'), []);
  });
});

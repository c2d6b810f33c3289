import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { createCountries } from '../../src/places/countries.js';
import { readGazetteerFile } from '../../src/places/gazetteer-file.js';
import { createKeyTable } from '../../src/places/key-table.js';
import { builtGazetteer } from './built-gazetteer.js';

const data = readGazetteerFile(builtGazetteer());
const countries = createCountries(
  data.countries,
  data.areas,
  createKeyTable(data.keys, data.values),
);
const codeOf = (name: string) => countries.resolve(name)?.codes[0];

const NAMES: Record<string, string> = {
  US: 'USA|usa|U.S.|U.S.A.|US|America|United States|the United States|États-Unis|Estados Unidos|美国|США|Vereinigte Staaten',
  GB: 'UK|U.K.|GBR|Britain|Great Britain|United Kingdom|England|Scotland|Wales|Royaume-Uni|英国',
  CN: 'China|PRC|CHN|中国|中國|Китай|People’s Republic of China|Kina',
  TW: 'Taiwan|ROC|台灣|臺灣|Republic of China',
  KR: 'Korea|South Korea|Republic of Korea|한국|대한민국|KOR',
  KP: 'North Korea|DPRK|북한',
  CD: 'DR Congo|DRC|Congo-Kinshasa|Democratic Republic of the Congo',
  CG: 'Congo|Congo-Brazzaville|Republic of the Congo',
  VA: 'Vatican|Vatican City|Holy See',
  RU: 'Россия|РФ|Russia|Russian Federation|Rusia|俄罗斯',
  DE: 'Deutschland|Germany|ALLEMAGNE|DEU|de|ドイツ',
  TR: 'Türkiye|Turkiye|Turkey|Turquie',
  CI: "Côte d'Ivoire|Cote d’Ivoire|Ivory Coast|COTE DIVOIRE",
  SZ: 'Eswatini|Swaziland',
  MK: 'North Macedonia|Macedonia|Северна Македонија',
  MM: 'Myanmar|Burma|မြန်မာ',
  CZ: 'Czechia|Czech Republic|Česko',
  NL: 'Netherlands|The Netherlands|Holland|Nederland',
  GM: 'The Gambia|Gambia',
  LA: 'Laos|ລາວ',
  IN: 'India|भारत|Bharat',
  JP: '日本|Japan|Japon|Nippon',
  SA: 'السعودية|المملكة العربية السعودية|Saudi Arabia|Kingdom of Saudi Arabia',
  ES: 'Spain|Kingdom of Spain|España|Canaries|Ceuta',
  XK: 'Kosovo|Kosova|XK',
  HK: 'Hong Kong|香港',
};

describe('countries by name', () => {
  for (const [code, names] of Object.entries(NAMES)) {
    it(`${code}: ${names.replaceAll('|', ', ')}`, () => {
      for (const name of names.split('|')) assert.equal(codeOf(name), code, name);
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

  it('finds each country by every name that it shows', () => {
    for (const { code, name } of data.countries) assert.equal(codeOf(name), code, name);
  });

  it('gives nothing for what is no country', () => {
    for (const name of ['', 'the', 'Atlantis', 'Paris', 'Springfield']) {
      assert.equal(countries.resolve(name), undefined, name);
    }
  });
});

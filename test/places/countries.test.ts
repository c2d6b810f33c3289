import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { createCountries } from '../../src/places/countries.js';
import { readGazetteerFile } from '../../src/places/gazetteer-file.js';
import { createKeyTable } from '../../src/places/key-table.js';
import { createRegionNames } from '../../src/places/region-names.js';
import aliasTable from '../../tools/gazetteer/tables/country-aliases.json' with { type: 'json' };
import { builtGazetteer } from '../../tools/places/built-gazetteer.js';

const data = readGazetteerFile(builtGazetteer());
const table = createKeyTable(data);
const countries = createCountries(
  data.countries,
  data.areas,
  table,
  createRegionNames(table),
  (region) => `region ${data.regions[region - 1]}`,
);
const codeOf = (name: string) => countries.country(name)?.codes[0];

const NAMES: Record<string, string> = {
  CC: 'Cocos Islands|Cocos (Keeling) Islands|Cocos Keeling Islands',
  US: 'アメリカ|USA|usa|U.S.|U.S.A.|US|America|United States|the United States|États-Unis|Estados Unidos|美国|США|Vereinigte Staaten',
  GB: 'UK|U.K.|GBR|Britain|Great Britain|United Kingdom|England|Scotland|Wales|Royaume-Uni|英国',
  CN: 'China|PRC|CHN|中国|中國|Китай|People’s Republic of China|Kina',
  TW: 'Taiwan|ROC|台灣|臺灣|Republic of China',
  KR: '韓國|Korea|South Korea|Republic of Korea|한국|대한민국|KOR',
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

/** As ISO 3166, the United Nations, the World Bank and the members themselves write them. */
const OFFICIAL: Record<string, string> = {
  IR: 'Iran, Islamic Republic of|Iran, Islamic Rep.|Islamic Republic of Iran',
  MD: 'Republic of Moldova|Moldova, Republic of|Moldova',
  KG: 'Kyrgyz Republic',
  LA: "Lao People's Democratic Republic|Lao PDR|Lao People's Dem. Rep.",
  TZ: 'Tanzania, United Republic of|United Republic of Tanzania',
  KR: 'Korea, Republic of|Republic of Korea|Korea, Rep.|Korea, South|대한민국',
  KP: "Korea, Democratic People's Republic of|Korea, Dem. People's Rep.|Democratic People's Republic of Korea|Korea, Dem. Rep.|Korea, North",
  VA: 'Holy See|Vatican City State',
  VE: 'Venezuela, RB|Venezuela, Bolivarian Republic of|Bolivarian Republic of Venezuela',
  EG: 'Egypt, Arab Rep.|Arab Republic of Egypt',
  YE: 'Yemen, Rep.|Republic of Yemen',
  SY: 'Syrian Arab Republic',
  CD: 'Congo, Dem. Rep.|Congo, The Democratic Republic of the|Congo, Democratic Republic of the',
  CG: 'Congo, Rep.|Congo, Republic of the|Republic of the Congo',
  SK: 'Slovak Republic|Slovenská republika',
  FM: 'Micronesia, Fed. Sts.|Micronesia, Federated States of|Federated States of Micronesia',
  HK: 'Hong Kong SAR, China',
  MO: 'Macao SAR, China',
  BS: 'Bahamas, The|Commonwealth of The Bahamas',
  GM: 'Gambia, The|Republic of the Gambia|Islamic Republic of the Gambia',
  KN: 'St. Kitts and Nevis',
  VI: 'Virgin Islands, U.S.',
  VG: 'Virgin Islands, British|British Virgin Islands',
  PS: 'West Bank and Gaza|Palestine, State of|State of Palestine',
  BO: 'Bolivia, Plurinational State of|Plurinational State of Bolivia',
  TW: 'Taiwan, China|Taiwan, Province of China|China, Republic of',
  CN: "China, People's Republic of|People's Republic of China|中华人民共和国",
  MK: 'Macedonia, FYR|Republic of North Macedonia|Macedonia, the former Yugoslav Republic of',
  SO: 'Somalia, Fed. Rep.|Federal Republic of Somalia',
  LY: 'State of Libya|Libyan Arab Jamahiriya|Libya',
  FR: 'French Republic|République française',
  CH: 'Swiss Confederation|Schweizerische Eidgenossenschaft',
  GR: 'Hellenic Republic|Ελληνική Δημοκρατία',
  UY: 'Eastern Republic of Uruguay|Oriental Republic of Uruguay',
  JO: 'Hashemite Kingdom of Jordan',
  AF: 'Islamic Republic of Afghanistan|Islamic Emirate of Afghanistan',
  MM: 'Republic of the Union of Myanmar',
  AT: 'Republic of Austria|Republik Österreich',
  RS: 'Republic of Serbia|Република Србија',
};

describe('countries by name', () => {
  for (const [code, names] of [...Object.entries(NAMES), ...Object.entries(OFFICIAL)]) {
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

  it('takes no country for another one of nearly the same name', () => {
    const pairs: [name: string, code: string][] = [
      ['Republic of China', 'TW'],
      ['China, Republic of', 'TW'],
      ['Dominica, Commonwealth of', 'DM'],
      ['Guinea, Republic of', 'GN'],
      ['Ireland, Republic of', 'IE'],
      ['Samoa, Independent State of', 'WS'],
      ['Congo, Republic of', 'CG'],
      ['Congo, Democratic Republic of', 'CD'],
    ];
    for (const [name, code] of pairs) assert.equal(codeOf(name), code, name);
  });

  it('knows every reviewed alias as that of its own country', () => {
    for (const [code, aliases] of Object.entries(aliasTable.aliases)) {
      for (const alias of aliases) assert.equal(codeOf(alias), code, alias);
    }
  });

  it('gives nothing for what is no country', () => {
    for (const name of ['', 'the', ', The', 'Republic of', 'Atlantis', 'Paris', 'Springfield']) {
      assert.equal(countries.country(name), undefined, name);
    }
    assert.equal(countries.resolve('Springfield'), undefined);
  });

  it('gives the country of a region that stands in its place, and no region for a code of a country', () => {
    assert.deepEqual(countries.resolve('Hawaii')?.codes, ['region Hawaii']);
    assert.deepEqual(countries.resolve('Bayern')?.codes, ['region Bavaria']);
    const areas = (name: string) => countries.areas(name).map(({ codes: [code] }) => code);
    assert.deepEqual(areas('Georgia').slice(0, 2), ['GE', 'region Georgia']);
    assert.deepEqual(areas('Punjab').slice(0, 2).sort(), ['region Punjab', 'region Punjab']);
    assert.deepEqual(areas('IN'), ['IN']);
    assert.deepEqual(areas('Atlantis'), []);
  });
});

import { readGazetteerFile } from '../../../src/places/gazetteer-file.js';
import { loadGazetteer } from '../../../src/places/gazetteer.js';
import { builtGazetteer } from '../built-gazetteer.js';
import { borderAndCoastPoints, capitals, cityNamesInScripts, largeCities } from './cases.js';
import { measureNames, measurePoints, type Accuracy } from './measure.js';

export interface Report {
  capitals: Accuracy;
  capitalsNativeCountry: Accuracy;
  largeEnglish: Accuracy;
  largeNative: Accuracy;
  largeAscii: Accuracy;
  scriptsNative: Accuracy;
  scriptsEvery: Accuracy;
  border: Accuracy;
  coast: Accuracy;
  /** The size of the test set. */
  pairs: number;
  countries: number;
  scripts: string[];
}

const SCRIPTS =
  'Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Han Hangul Hebrew Katakana ' +
  'Khmer Lao Latin Myanmar Sinhala Tamil Telugu Thai Tibetan';

/** Measures the accuracy of the gazetteer by the independent sources. */
export function measureQuality(): Report {
  const file = builtGazetteer();
  const gazetteer = loadGazetteer(file);
  const codeOf = new Map(readGazetteerFile(file).countries.map(({ name, code }) => [name, code]));
  const capital = capitals();
  const large = largeCities();
  const inScripts = cityNamesInScripts();
  const points = borderAndCoastPoints();
  const cases = [...capital.english, ...large.name, ...large.native, ...inScripts.native];
  const pairs = new Map(cases.map((each) => [`${each.city}, ${each.iso2}`, each]));
  const letters = [...pairs.values()].map(({ city }) => city).join('');
  const names = (what: string, cases: Parameters<typeof measureNames>[1]) =>
    measureNames(what, cases, gazetteer);
  return {
    capitals: names('Capitals of all countries and territories', capital.english),
    capitalsNativeCountry: names('… with the native name of the country', capital.nativeCountry),
    largeEnglish: names('Cities above 100,000: English name', large.name),
    largeNative: names('… native name, ISO alpha-3', large.native),
    largeAscii: names('… ASCII name, ISO alpha-2', large.ascii),
    scriptsNative: names('Time zone cities in official languages', inScripts.native),
    scriptsEvery: names('… in every language of CLDR', inScripts.every),
    border: measurePoints(
      'Country of towns within 15 km of a border',
      points.border,
      gazetteer,
      codeOf,
    ),
    coast: measurePoints(
      'Country of towns within 5 km of the sea',
      points.coast,
      gazetteer,
      codeOf,
    ),
    pairs: pairs.size,
    countries: new Set(cases.map(({ iso2 }) => iso2)).size,
    scripts: SCRIPTS.split(' ').filter((s) => new RegExp(`\\p{Script=${s}}`, 'u').test(letters)),
  };
}

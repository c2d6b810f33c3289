import { firstNotLess } from '../../src/places/ascending.js';
import type { CountryRecord, GazetteerSections } from '../../src/places/gazetteer-file.js';
import { cityKey, countryKey, hashKey, PARTS } from '../../src/places/key-hash.js';
import { foldedNames } from './city-names.js';
import type { CountryNames } from './country-names.js';
import { orderNamesakes, type Namesake } from './namesakes.js';
import type { SourcePlace } from './source-places.js';

/** How many marks there are. */
const MARKS = 2 ** 32;

/**
 * The table of all keys: cities, countries, regions.
 *
 * @throws Error when two keys have one hash
 */
export function keyTable(
  places: SourcePlace[],
  countries: CountryRecord[],
  countryNames: CountryNames,
  regionKeys: [key: string, regions: number[]][],
): Pick<GazetteerSections, 'keyStart' | 'keys' | 'values'> {
  /** Each value, and the hash of its key. The values of one key follow one another, the best first. */
  const unsorted: number[] = [];
  const hashes: number[] = [];
  let count = 0;
  const addRow = (key: string, row: number[]): void => {
    const { part, mark } = hashKey(key);
    count++;
    for (const value of row) {
      unsorted.push(value);
      hashes.push(part * MARKS + mark);
    }
  };
  for (const { code, first, end } of countries) {
    for (const [folded, list] of namesakes(places, first, end)) {
      orderNamesakes(list, places);
      addRow(
        cityKey(code, folded),
        list.map(({ value }) => value),
      );
    }
  }
  for (const [folded, area] of countryNames.keys()) addRow(countryKey(folded), [area]);
  for (const [key, numbers] of regionKeys) addRow(key, numbers);
  const ordered = Float64Array.from(hashes).sort();
  const different = ordered.reduce((sum, hash, i) => sum + Number(hash !== ordered[i - 1]), 0);
  if (different < count) throw new Error('two keys share one hash: change hashKey');
  const values = new Uint32Array(ordered.length);
  let at = 0;
  for (const [i, hash] of hashes.entries()) {
    at = hash === hashes[i - 1] ? at + 1 : firstNotLess(ordered, hash);
    values[at] = unsorted[i] ?? 0;
  }
  return {
    keyStart: Uint32Array.from({ length: PARTS + 1 }, (_, part) =>
      firstNotLess(ordered, part * MARKS),
    ),
    keys: Uint32Array.from(ordered, (hash) => hash % MARKS),
    values,
  };
}

/** The places of each folded name in a country. */
function namesakes(places: SourcePlace[], first: number, end: number): Map<string, Namesake[]> {
  const names = new Map<string, Namesake[]>();
  for (const [i, place] of places.slice(first, end).entries()) {
    for (const [folded, rank] of foldedNames(place)) {
      const known = names.get(folded);
      if (known) known.push({ value: first + i, rank });
      else names.set(folded, [{ value: first + i, rank }]);
    }
  }
  return names;
}

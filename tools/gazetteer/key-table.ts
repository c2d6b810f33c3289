import { firstNotLess } from '../../src/places/ascending.js';
import type { GazetteerSections } from '../../src/places/gazetteer-file.js';
import { cityKey, countryKey, hashKey, PARTS } from '../../src/places/key-hash.js';
import { eachName, nameTexts } from './city-names.js';
import type { CountryNames } from './country-names.js';
import { orderNamesakes, type Namesake } from './namesakes.js';
import type { SourcePlace } from './source-places.js';

/** More than there are in `Rank`. */
const RANKS = 8;
/** How many marks there are. */
const MARKS = 2 ** 32;

/**
 * The table of all keys: cities, countries, regions.
 *
 * @throws Error when two keys have one hash
 */
export function keyTable(
  places: SourcePlace[],
  countryNames: CountryNames,
  regionKeys: [key: string, regions: number[]][],
): Pick<GazetteerSections, 'keyStart' | 'keys' | 'values'> {
  /** Each value, and the hash of its key. The values of one key follow one another, the best first. */
  const unsorted: number[] = [];
  const hashes: number[] = [];
  let count = 0;
  const texts = nameTexts();
  const addRow = (key: string, row: number[]): void => {
    const { part, mark } = hashKey(key);
    count++;
    for (const value of row) {
      unsorted.push(value);
      hashes.push(part * MARKS + mark);
    }
  };
  for (const { name, country, list } of namesakes(places)) {
    orderNamesakes(list, places);
    addRow(
      cityKey(country, texts[name] ?? ''),
      list.map(({ value }) => value),
    );
  }
  for (const [folded, area] of countryNames.keys()) addRow(countryKey(folded), [area]);
  for (const [key, numbers] of regionKeys) addRow(key, numbers);
  const ordered = Float64Array.from(hashes).sort();
  const different = ordered.reduce((sum, hash, i) => sum + Number(hash !== ordered[i - 1]), 0);
  if (different < count) throw new Error('two keys share one hash: change hashKey');
  const keyStart = Uint32Array.from({ length: PARTS + 1 }, (_, part) =>
    firstNotLess(ordered, part * MARKS),
  );
  const values = new Uint32Array(ordered.length);
  let at = 0;
  for (const [i, hash] of hashes.entries()) {
    const part = Math.floor(hash / MARKS);
    const isNext = hash === hashes[i - 1];
    at = isNext ? at + 1 : firstNotLess(ordered, hash, keyStart[part], keyStart[part + 1]);
    values[at] = unsorted[i] ?? 0;
  }
  return {
    keyStart,
    keys: Uint32Array.from(ordered, (hash) => hash % MARKS),
    values,
  };
}

/**
 * The places of each name in each country. A name of a place is one integer, so that sorting brings together the
 * places of a name, and of these the ones of a country, which follow one another.
 */
function* namesakes(
  places: SourcePlace[],
): Generator<{ name: number; country: string; list: Namesake[] }> {
  const rows: number[] = [];
  for (const [value, place] of places.entries()) {
    eachName(place, (name, rank) => rows.push((name * places.length + value) * RANKS + rank));
  }
  let current = { name: -1, country: '', list: [] as Namesake[] };
  for (const row of Float64Array.from(rows).sort()) {
    const rank = row % RANKS;
    const named = (row - rank) / RANKS;
    const value = named % places.length;
    const name = (named - value) / places.length;
    const country = places[value]?.country ?? '';
    if (name !== current.name || country !== current.country) {
      if (current.list.length > 0) yield current;
      current = { name, country, list: [] };
    }
    current.list.push({ value, rank });
  }
  if (current.list.length > 0) yield current;
}

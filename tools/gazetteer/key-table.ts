import type { GazetteerSections } from '../../src/places/gazetteer-file.js';
import { cityKey, countryKey, hashKey, PARTS } from '../../src/places/key-hash.js';
import { eachName, nameTexts } from './city-names.js';
import type { CountryNames } from './country-names.js';
import { orderNamesakes, type Namesake } from './namesakes.js';
import type { SourcePlace } from './source-places.js';
import { startsOf } from './starts-of.js';

/** More than there are in `Rank`. */
const RANKS = 8;

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
  const parts: number[] = [];
  const marks: number[] = [];
  let count = 0;
  const texts = nameTexts();
  const addRow = (key: string, row: number[]): void => {
    const { part, mark } = hashKey(key);
    count++;
    for (const value of row) {
      unsorted.push(value);
      parts.push(part);
      marks.push(mark);
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

  const sizes = new Uint32Array(PARTS);
  for (const part of parts) sizes[part] = (sizes[part] ?? 0) + 1;
  const keyStart = startsOf(sizes);
  const keys = new Uint32Array(parts.length);
  const values = new Uint32Array(parts.length);
  const ends = keyStart.slice();
  for (const [i, part] of parts.entries()) {
    const mark = marks[i] ?? 0;
    const first = keyStart[part] ?? 0;
    let at = ends[part] ?? 0;
    ends[part] = at + 1;
    // A part has some seventeen values.
    for (; at > first && (keys[at - 1] ?? 0) > mark; at--) {
      keys[at] = keys[at - 1] ?? 0;
      values[at] = values[at - 1] ?? 0;
    }
    keys[at] = mark;
    values[at] = unsorted[i] ?? 0;
  }
  if (differentKeys(keyStart, keys) < count)
    throw new Error('two keys share one hash: change hashKey');
  return { keyStart, keys, values };
}

function differentKeys(keyStart: Uint32Array, keys: Uint32Array): number {
  let different = 0;
  for (let part = 0; part < PARTS; part++) {
    const first = keyStart[part] ?? 0;
    for (let at = first; at < (keyStart[part + 1] ?? 0); at++) {
      if (at === first || keys[at] !== keys[at - 1]) different++;
    }
  }
  return different;
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

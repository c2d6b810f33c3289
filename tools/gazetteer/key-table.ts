import type { GazetteerSections } from '../../src/places/gazetteer-file.js';
import {
  cityKey,
  countryCodeKey,
  countryKey,
  hashKey,
  BUCKETS,
} from '../../src/places/key-hash.js';
import { eachName, nameTexts } from './city-names.js';
import type { CountryNames } from './country-names.js';
import { orderNamesakes, type Namesake } from './namesakes.js';
import type { SourcePlace } from './source-places.js';
import { offsetsOf } from './offsets.js';

/** More than the number of ranks in `Rank`. */
const RANKS = 8;

/**
 * Builds the hash table of all keys: cities, countries, and regions.
 *
 * @throws Error if two keys have the same hash
 */
export function keyTable(
  places: SourcePlace[],
  countryNames: CountryNames,
  regionKeys: [key: string, regions: number[]][],
): Pick<GazetteerSections, 'keyStart' | 'keys' | 'values'> {
  /** Every value with the hash of its key. The values of a key are adjacent, the best first. */
  const unsorted: number[] = [];
  const buckets: number[] = [];
  const fingerprints: number[] = [];
  const hashes = new Set<number>();
  const texts = nameTexts();
  const addRow = (key: string, row: number[]): void => {
    const { bucket, fingerprint } = hashKey(key);
    const hash = bucket * 2 ** 32 + fingerprint;
    if (hashes.has(hash)) throw new Error(`two keys share the hash of ${key}: change hashKey`);
    hashes.add(hash);
    for (const value of row) {
      unsorted.push(value);
      buckets.push(bucket);
      fingerprints.push(fingerprint);
    }
  };
  for (const { name, country, list } of namesakes(places)) {
    orderNamesakes(list, places);
    addRow(
      cityKey(country, texts[name] ?? ''),
      list.map(({ value }) => value),
    );
  }
  for (const [folded, area] of countryNames.codes()) addRow(countryCodeKey(folded), [area]);
  for (const [folded, area] of countryNames.names()) addRow(countryKey(folded), [area]);
  for (const [key, numbers] of regionKeys) addRow(key, numbers);

  const sizes = new Uint32Array(BUCKETS);
  for (const bucket of buckets) sizes[bucket] = (sizes[bucket] ?? 0) + 1;
  const keyStart = offsetsOf(sizes);
  const keys = new Uint32Array(buckets.length);
  const values = new Uint32Array(buckets.length);
  const ends = keyStart.slice();
  for (const [i, bucket] of buckets.entries()) {
    const fingerprint = fingerprints[i] ?? 0;
    const first = keyStart[bucket] ?? 0;
    let at = ends[bucket] ?? 0;
    ends[bucket] = at + 1;
    // Insertion sort, because a bucket has about 17 values.
    for (; at > first && (keys[at - 1] ?? 0) > fingerprint; at--) {
      keys[at] = keys[at - 1] ?? 0;
      values[at] = values[at - 1] ?? 0;
    }
    keys[at] = fingerprint;
    values[at] = unsorted[i] ?? 0;
  }
  return { keyStart, keys, values };
}

/**
 * Yields the places of each name in each country. A name of a place is one integer, so that sorting groups them by name
 * and then by country, because the places of a country are adjacent.
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

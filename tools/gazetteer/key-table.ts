import { BUCKETS, hashKey, KEYS, type KeyTable } from '../../src/places/data/key-hash.js';
import { eachName, nameTexts } from './city-names.js';
import type { CountryNames } from './country-names.js';
import { orderNamesakes, type Namesake } from './namesakes.js';
import type { SourcePlace } from './source-places.js';
import { offsetsOf } from './offsets.js';

/** More than the number of ranks in `Rank`. */
const RANKS = 8;

/** Hashes of keys, the number of values of each key, and all values, a key's best value first. */
export type KeyedValues = Record<'buckets' | 'fingerprints' | 'counts' | 'values', Uint32Array>;

/** Lists the keys of cities with the indices of their places. */
export function cityKeys(places: SourcePlace[]): KeyedValues {
  const texts = nameTexts();
  return keyedValues(
    (function* () {
      for (const { name, country, list } of namesakes(places)) {
        orderNamesakes(list, places);
        yield [KEYS.city(country, texts[name] ?? ''), list.map(({ value }) => value)];
      }
    })(),
  );
}

/** Lists the keys of countries and regions. */
export function areaKeys(
  countryNames: CountryNames,
  regionKeys: [key: string, regions: number[]][],
): KeyedValues {
  const rowOf = (key: string, area: number): [string, number[]] => [key, [area]];
  return keyedValues([
    ...countryNames.codes().map(([folded, area]) => rowOf(KEYS.countryCode(folded), area)),
    ...countryNames.labels().map(([label, area]) => rowOf(KEYS.countryLabel(label), area)),
    ...countryNames.names().map(([folded, area]) => rowOf(KEYS.country(folded), area)),
    ...regionKeys,
  ]);
}

/** Returns a part's keys with indices into all places. @param first the index of its first place */
export function withFirstPlace(keys: KeyedValues, first: number): KeyedValues {
  return { ...keys, values: keys.values.map((place) => place + first) };
}

/** Joins lists of keys that have no key in common. */
export function joinedKeys(lists: KeyedValues[]): KeyedValues {
  const joined = (name: keyof KeyedValues): Uint32Array => {
    const starts = offsetsOf(lists.map((list) => list[name].length));
    const all = new Uint32Array(starts.at(-1) ?? 0);
    for (const [i, list] of lists.entries()) all.set(list[name], starts[i]);
    return all;
  };
  return {
    buckets: joined('buckets'),
    fingerprints: joined('fingerprints'),
    counts: joined('counts'),
    values: joined('values'),
  };
}

/** Hashes keys with their values. */
export function keyedValues(rows: Iterable<[key: string, values: number[]]>): KeyedValues {
  const buckets: number[] = [];
  const fingerprints: number[] = [];
  const counts: number[] = [];
  const values: number[] = [];
  for (const [key, row] of rows) {
    const { bucket, fingerprint } = hashKey(key);
    buckets.push(bucket);
    fingerprints.push(fingerprint);
    counts.push(row.length);
    for (const value of row) values.push(value);
  }
  return {
    buckets: Uint32Array.from(buckets),
    fingerprints: Uint32Array.from(fingerprints),
    counts: Uint32Array.from(counts),
    values: Uint32Array.from(values),
  };
}

/**
 * Builds the hash table of all keys.
 *
 * @throws Error if two keys have the same hash
 */
export function keyTable(keyed: KeyedValues): KeyTable {
  const sizes = new Uint32Array(BUCKETS);
  for (const [key, bucket] of keyed.buckets.entries()) {
    sizes[bucket] = (sizes[bucket] ?? 0) + (keyed.counts[key] ?? 0);
  }
  const keyStart = offsetsOf(sizes);
  const keys = new Uint32Array(keyed.values.length);
  const values = new Uint32Array(keyed.values.length);
  const ends = keyStart.slice();
  let next = 0;
  for (const [key, bucket] of keyed.buckets.entries()) {
    const fingerprint = keyed.fingerprints[key] ?? 0;
    const count = keyed.counts[key] ?? 0;
    const first = keyStart[bucket] ?? 0;
    let at = ends[bucket] ?? 0;
    ends[bucket] = at + count;
    // Insertion sort, because a bucket has about 17 values.
    for (; at > first && (keys[at - 1] ?? 0) > fingerprint; at--) {
      keys[at - 1 + count] = keys[at - 1] ?? 0;
      values[at - 1 + count] = values[at - 1] ?? 0;
    }
    if (at > first && keys[at - 1] === fingerprint) {
      throw new Error(`two keys have the hash ${bucket}:${fingerprint}: change hashKey`);
    }
    for (let i = 0; i < count; i++) {
      keys[at + i] = fingerprint;
      values[at + i] = keyed.values[next++] ?? 0;
    }
  }
  return { keyStart, keys, values };
}

/**
 * Yields the places of each name in each country. A name of a place is one integer, so sorting
 * groups by name and then by country, because the places of a country are adjacent.
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

import type { CodeRecord } from '../../src/places/data/gazetteer-file.js';
import { codesOf } from './airport-codes.js';
import { groupBy } from './group-by.js';
import { cityKeys, type KeyedValues } from './key-table.js';
import { listInOrder, type SortedNames } from './list-names.js';
import { sourcePlace, type SourcePlace } from './source-places.js';

/**
 * The places of some countries with their keys and names, which refer to places by their index in
 * the part. Another thread makes it: all data can be sent between threads.
 */
export interface Part {
  /** Sorted by country, by population (largest first), by source order. Without other names. */
  places: SourcePlace[];
  keys: KeyedValues;
  list: SortedNames;
  codes: CodeRecord[];
}

/** Computes the keys and the list of names of some countries. */
export function partOf(sources: SourcePlace[]): Part {
  const byCountry = groupBy(sources, (place) => place.country);
  const places = [...byCountry.keys()]
    .sort()
    .flatMap((code) => (byCountry.get(code) ?? []).sort((a, b) => b.population - a.population));
  return {
    places: places.map((place) => sourcePlace({ ...place, formerNames: [], alternateNames: [] })),
    keys: cityKeys(places),
    list: listInOrder(places),
    codes: codesOf(places),
  };
}

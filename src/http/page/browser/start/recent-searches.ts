/** The list of recent searches, as the service has it. */
import type { City } from '../service/queries.js';

/** The service stores this number of searches. */
const MAX_SEARCHES = 10;

/** Joins two lists without duplicates. Of two spellings, the one in the first list stays. */
export function mergeSearches(newer: City[], older: City[]): City[] {
  const names = new Set(newer.map(keyOf));
  return [...newer, ...older.filter((search) => !names.has(keyOf(search)))].slice(0, MAX_SEARCHES);
}

function keyOf({ city, country }: City): string {
  return `${city}|${country}`.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { KEYS, valuesOf } from '../data/key-hash.js';
import { inRegion, isMinorPlace, populationOf } from '../data/place-record.js';

/**
 * A place in a territory comes before a place of the same name in the country itself only if it has more than this many
 * times its population: Saint-Denis, France is near Paris; San Juan, USA is in Puerto Rico.
 */
export const TERRITORY_FACTOR = 5;

/** Returns whether a place matches the rest of a query, for example lies in the region that the query names. */
export type PlaceFilter = (place: number) => boolean;

/** Returns the best place of a folded name in an area, among the places that `within` accepts; undefined if none. */
export function exactMatch(
  data: GazetteerData,
  folded: string,
  { codes, region }: AreaRecord,
  within: PlaceFilter = () => true,
): number | undefined {
  if (folded === '') return undefined;
  const bestIn = (code: string) =>
    valuesOf(data, KEYS.city(code, folded)).find(
      (place) => inRegion(data, place, region) && within(place),
    );
  const [home = '', ...territories] = codes;
  const best = bestIn(home);
  let winner = best;
  for (const code of territories) {
    const rival = bestIn(code);
    if (rival !== undefined && outranks(data, rival, winner, best)) winner = rival;
  }
  return winner;
}

function outranks(data: GazetteerData, rival: number, winner?: number, homeBest?: number): boolean {
  if (winner === undefined) return true;
  // Dakhla, Morocco is the city in Western Sahara, and not a district of Agadir.
  if (isMinorPlace(data, winner) && !isMinorPlace(data, rival)) return true;
  const factor = winner === homeBest ? TERRITORY_FACTOR : 1;
  return populationOf(data, rival) > factor * populationOf(data, winner);
}

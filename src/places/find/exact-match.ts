import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { AREA, KEYS, valuesOf } from '../data/key-hash.js';
import { inRegion, isMinorPlace, populationOf } from '../data/place-record.js';

/**
 * A place in a territory comes before a place of the same name in the country itself only with more
 * than this ratio of populations: Saint-Denis, France is near Paris; San Juan, USA in Puerto Rico.
 */
export const TERRITORY_FACTOR = 5;

/** Returns whether a place matches the rest of a query, such as its region. */
export type PlaceFilter = (place: number) => boolean;

/**
 * Returns the best place of a folded name in an area, among those that `within` accepts; undefined
 * if none. If the name means a large country or region, returns `AREA` plus its largest town.
 */
export function exactMatch(
  data: GazetteerData,
  folded: string,
  { codes, region }: AreaRecord,
  within: PlaceFilter = () => true,
): number | undefined {
  if (folded === '') return undefined;
  const accepts = (town: number): boolean => {
    const place = townOf(town);
    return inRegion(data, place, region) && within(place);
  };
  const bestOf = (key: string) => valuesOf(data, key).find(accepts);
  const [home = '', ...territories] = codes;
  const area = bestOf(KEYS.areaTown(home, folded));
  if (area !== undefined) return area;
  const best = bestOf(KEYS.city(home, folded));
  let winner = best;
  for (const code of territories) {
    const rival = bestOf(KEYS.city(code, folded)) ?? bestOf(KEYS.areaTown(code, folded));
    if (rival !== undefined && outranks(data, rival, winner, best)) winner = rival;
  }
  return winner;
}

/** Returns whether a result means an area that is too large for one town to stand for it. */
export function isArea(result: number): boolean {
  return result >= AREA;
}

/** Returns the place of a result, or the largest town of the area that it means. */
export function townOf(result: number): number {
  return isArea(result) ? result - AREA : result;
}

function outranks(data: GazetteerData, rival: number, winner?: number, homeBest?: number): boolean {
  if (winner === undefined) return true;
  // Dakhla, Morocco is the city in Western Sahara, and not a district of Agadir.
  if (isMinorPlace(data, winner) && !isMinorPlace(data, rival)) return true;
  const factor = winner === homeBest ? TERRITORY_FACTOR : 1;
  return populationOf(data, rival) > factor * populationOf(data, winner);
}

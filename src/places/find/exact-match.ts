import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { KEYS } from '../data/key-hash.js';
import type { KeyTable } from '../data/key-table.js';
import { countryOf, isPartOfCity, populationOf } from '../data/place-record.js';

/**
 * A place in a territory comes before a place of the same name in the country itself only if it has more than this many
 * times its population: Saint-Denis, France is near Paris; San Juan, USA is in Puerto Rico.
 */
export const TERRITORY_FACTOR = 5;

/** Returns whether a place matches the rest of a query, for example lies in the region that the query names. */
export type PlaceFilter = (place: number) => boolean;

/** Returns the best place of a name in an area, among the places that `within` accepts; undefined if none. */
export type PlaceByName = (
  name: string,
  area: AreaRecord,
  within?: PlaceFilter,
) => number | undefined;

/** Returns whether a place lies in a region of the first or second level. */
export function inRegion(data: GazetteerData, place: number, region: number): boolean {
  return data.division[place] === region || data.district[place] === region;
}

/** Returns whether a place lies in a country of an area, and in the region of the area if it has one. */
export function inArea(data: GazetteerData, place: number, { codes, region }: AreaRecord): boolean {
  const code = countryOf(data, place)?.code ?? '';
  return codes.includes(code) && (region === undefined || inRegion(data, place, region));
}

/** Creates the lookup of folded names. */
export function createExactMatch(data: GazetteerData, table: KeyTable): PlaceByName {
  return (folded, area, within) => {
    if (folded === '') return undefined;
    const { codes, region } = area;
    const isMeant = (place: number): boolean =>
      (region === undefined || inRegion(data, place, region)) && (within?.(place) ?? true);
    const [home = '', ...territories] = codes;
    const best = table.values(KEYS.city(home, folded)).find(isMeant);
    let winner = best;
    for (const code of territories) {
      const rival = table.values(KEYS.city(code, folded)).find(isMeant);
      if (rival !== undefined && outranks(rival, winner, best)) winner = rival;
    }
    return winner;
  };

  function outranks(rival: number, winner: number | undefined, homeBest: number | undefined) {
    if (winner === undefined) return true;
    // Dakhla, Morocco is the city in Western Sahara, and not a district of Agadir.
    if (isPartOfCity(data, winner) && !isPartOfCity(data, rival)) return true;
    const factor = winner === homeBest ? TERRITORY_FACTOR : 1;
    return populationOf(data, rival) > factor * populationOf(data, winner);
  }
}

import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { KEYS, valuesOf } from '../data/key-hash.js';
import {
  countryOf,
  inRegion,
  isMinorPlace,
  kilometersBetween,
  populationOf,
} from '../data/place-record.js';
import { areaNamed } from '../names/countries.js';
import { fold } from '../names/fold.js';
import { regionsIn } from '../names/region-names.js';

/**
 * A place in a territory comes before a place of the same name in the country itself only if it has more than this many
 * times its population: Saint-Denis, France is near Paris; San Juan, USA is in Puerto Rico.
 */
export const TERRITORY_FACTOR = 5;
/** Maximum distance at which a place counts as near a city: "Shinjuku, Tokyo". */
const NEAR_CITY_KM = 50;

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

/**
 * Returns a filter for the places of the area that lie in the region or country that a text names, or near the city of
 * that name; undefined if the text names none of them.
 * @param minPopulation population that such a city must have
 */
export function areaFilter(
  data: GazetteerData,
  text: string,
  area: AreaRecord,
  minPopulation = 0,
): PlaceFilter | undefined {
  // Regions come before countries, and countries before cities: "Washington" is the state, not the city.
  const regions = regionsIn(data, area.codes, text);
  if (regions.length > 0) {
    return (place) => regions.some((region) => inRegion(data, place, region));
  }
  const named = areaNamed(data, text);
  const codes = named?.codes.filter((code) => area.codes.includes(code)) ?? [];
  if (codes.length > 0) {
    return (place) =>
      codes.includes(countryOf(data, place)?.code ?? '') && inRegion(data, place, named?.region);
  }
  const city = exactMatch(data, fold(text), area);
  if (city === undefined || populationOf(data, city) < minPopulation) return undefined;
  return (place) => kilometersBetween(data, city, place) <= NEAR_CITY_KM;
}

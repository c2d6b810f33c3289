import { fold } from '../names/fold.js';
import type { Countries } from '../names/countries.js';
import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { inArea, inRegion, type PlaceByName, type PlaceFilter } from './exact-match.js';
import { kilometersBetween, populationOf } from '../data/place-record.js';
import type { RegionNames } from '../names/region-names.js';

/** Maximum distance at which a place counts as near a city: "Shinjuku, Tokyo". */
const NEAR_CITY_KM = 50;

/**
 * Returns a filter for the places of the area that lie in the region or country that a text names, or near the city of
 * that name. Returns undefined if the text names none of them.
 *
 * @param leastPopulation population that such a city must have; default 0
 */
export type AreaFilter = (
  text: string,
  area: AreaRecord,
  leastPopulation?: number,
) => PlaceFilter | undefined;

export function createAreaFilter(
  data: GazetteerData,
  countries: Countries,
  regionNames: RegionNames,
  exactMatch: PlaceByName,
): AreaFilter {
  // Regions come before countries, and countries before cities: "Washington" is the state, not the city.
  return (text, area, leastPopulation = 0) => {
    const numbers = area.codes.flatMap((code) => [...regionNames.inCountry(code, text)]);
    if (numbers.length > 0) {
      return (place) => numbers.some((region) => inRegion(data, place, region));
    }
    const country = countries.country(text);
    if (country?.codes.some((code) => area.codes.includes(code))) {
      return (place) => inArea(data, place, country);
    }
    const city = exactMatch(fold(text), area);
    if (city === undefined || populationOf(data, city) < leastPopulation) return undefined;
    return (place) => kilometersBetween(data, city, place) <= NEAR_CITY_KM;
  };
}

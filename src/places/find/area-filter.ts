import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { kilometersBetween, populationOf } from '../data/place-record.js';
import { areaNamed } from '../names/countries.js';
import { fold } from '../names/fold.js';
import { regionsInCountry } from '../names/region-names.js';
import { exactMatch, inArea, inRegion, type PlaceFilter } from './exact-match.js';

/** Maximum distance at which a place counts as near a city: "Shinjuku, Tokyo". */
const NEAR_CITY_KM = 50;

/**
 * Returns a filter for the places of the area that lie in the region or country that a text names, or near the city of
 * that name. Returns undefined if the text names none of them.
 *
 * @param leastPopulation population that such a city must have
 */
export function areaFilter(
  data: GazetteerData,
  text: string,
  area: AreaRecord,
  leastPopulation = 0,
): PlaceFilter | undefined {
  // Regions come before countries, and countries before cities: "Washington" is the state, not the city.
  const regions = area.codes.flatMap((code) => regionsInCountry(data, code, text));
  if (regions.length > 0) {
    return (place) => regions.some((region) => inRegion(data, place, region));
  }
  const named = areaNamed(data, text);
  const codes = named?.codes.filter((code) => area.codes.includes(code)) ?? [];
  if (codes.length > 0) return (place) => inArea(data, place, { ...named, codes });
  const city = exactMatch(data, fold(text), area);
  if (city === undefined || populationOf(data, city) < leastPopulation) return undefined;
  return (place) => kilometersBetween(data, city, place) <= NEAR_CITY_KM;
}

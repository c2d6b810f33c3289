import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import {
  countryOf,
  displayName,
  kilometersBetween,
  populationOf,
  regionNamesOf,
} from '../data/place-record.js';
import type { PlaceData } from '../place-data.js';
import { findNamed } from './find-named.js';
import { findInArea } from './find-place.js';

/** Countries in which people write a district of a city with the city. */
const COUNTRIES = new Set(['JP', 'KR', 'TW', 'CN']);
/** Minimum population of a city that has districts. The data has too low ones of some. */
const DISTRICT_CITY_POPULATION = 10_000;
/** Maximum distance of a district from its city. */
const DISTRICT_KM = 50;

/**
 * Finds the place of a district that is written with its city. A district that the data does not have is its city: the
 * city is near enough for the weather.
 */
export function findCityDistrict(
  data: PlaceData,
  districtName: string,
  cityName: string,
  area: AreaRecord,
): number | undefined {
  const city = findInArea(data, cityName, area);
  if (city === undefined || populationOf(data, city) < DISTRICT_CITY_POPULATION) return undefined;
  if (!COUNTRIES.has(countryOf(data, city)?.code ?? '')) return undefined;
  const isInCity = (place: number): boolean =>
    data.division[place] === data.division[city] &&
    kilometersBetween(data, city, place) <= DISTRICT_KM;
  const district = findNamed(data, districtName, area, isInCity);
  return district ?? (isTooLarge(data, city) ? undefined : city);
}

/** Returns whether a city is a region of its own of which most places are too far from it: Chongqing is as large as Austria. */
function isTooLarge(data: GazetteerData, city: number): boolean {
  if (regionNamesOf(data, city)[0] !== displayName(data, city)) return false;
  const { first = 0, end = 0 } = countryOf(data, city) ?? {};
  let surplus = 0;
  for (let place = first; place < end; place++) {
    if (data.division[place] !== data.division[city]) continue;
    surplus += kilometersBetween(data, city, place) > DISTRICT_KM ? 1 : -1;
  }
  return surplus > 0;
}

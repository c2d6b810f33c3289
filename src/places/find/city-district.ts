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

/** Countries in which people write a district of a city with the city. */
const COUNTRIES = new Set(['JP', 'KR', 'TW', 'CN']);
/** Minimum population of a city that has districts. The data has too low ones of some. */
const DISTRICT_CITY_POPULATION = 10_000;
/** Maximum distance of a district from its city. */
const DISTRICT_KM = 50;
/** A district with its city: 中央区, 大阪市; Chuo Ward, Osaka. */
const DISTRICT_FIRST = /^(?<district>[^,]+(?:[区區구]|-[kg]u| ward| district)), *(?<city>.+)$/iu;
/** The other order: 大阪市中央区, 서울특별시 강남구. */
const CITY_FIRST =
  /^(?<city>.+市|東京都|.+[^ ,](?=[ ,]))[ ,]*(?<district>[^,]+(?:[区區구]|-[kg]u))$/iu;

/**
 * Finds the place of a district that is written with its city. A district that the data does not have is its city: the
 * city is near enough for the weather.
 * @param findCity finds the city by its name
 */
export function findCityDistrict(
  data: PlaceData,
  text: string,
  area: AreaRecord,
  findCity: (data: PlaceData, city: string, area: AreaRecord) => number | undefined,
): number | undefined {
  const { city: cityName = '', district: districtName = '' } =
    (DISTRICT_FIRST.exec(text) ?? CITY_FIRST.exec(text))?.groups ?? {};
  const city = cityName === '' ? undefined : findCity(data, cityName, area);
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
  let [near, far] = [0, 0];
  for (let place = first; place < end; place++) {
    if (data.division[place] !== data.division[city]) continue;
    if (kilometersBetween(data, city, place) > DISTRICT_KM) far++;
    else near++;
  }
  return far > near;
}

import type { AreaRecord } from '../data/gazetteer-file.js';
import {
  countryOf,
  displayName,
  kilometersBetween,
  populationOf,
  TOWN_POPULATION,
} from '../data/place-record.js';
import { countryNamed, LONGEST_CODE } from '../names/countries.js';
import { fold } from '../names/fold.js';
import { regionsEverywhere } from '../names/region-names.js';
import type { PlaceData } from '../place-data.js';
import { readings, type Reading } from '../read/readings.js';
import { withinOf } from '../read/within.js';
import { exactMatch, isArea } from './exact-match.js';
import { findNamed, isMisspelled } from './find-named.js';

/** Minimum ratio of a known town's popularity to that of a place that few mean: Derry, Ireland. */
const FAR_BETTER_KNOWN = 100;
/** Countries in which people write a district of a city with the city. */
const COUNTRIES_OF_DISTRICTS = new Set(['JP', 'KR', 'TW', 'CN']);
/** Minimum population of a city that has districts. The data has too low ones of some. */
const DISTRICT_CITY_POPULATION = 10_000;
/** Maximum distance of a district from its city. */
const DISTRICT_KM = 50;
/** A city as large as Austria: most of its districts are too far from its center. */
const CITY_OF_FAR_DISTRICTS = 'Chongqing';

/**
 * Returns the place that a city's name means in the first area that has it, see `findInArea`.
 * Returns two places if the user must choose: only a tiny place has the name there, and a town in
 * an area that people also count to the country.
 *
 * @param areas the areas of the country's name, the most likely first
 */
export function findPlaces(data: PlaceData, city: string, areas: Iterable<AreaRecord>): number[] {
  for (const area of areas) {
    const also = area.also ?? [];
    for (const each of [area, ...also]) {
      const place = findInArea(data, city, each);
      if (place === undefined) continue;
      const rivals = (each === area ? also : [])
        .map((other) => exactMatch(data, fold(city), other))
        .filter((rival) => rival !== undefined && isFarBetterKnown(data, rival, place));
      return [...rivals, place].filter((rival) => rival !== undefined);
    }
  }
  return [];
}

function isFarBetterKnown({ population, popularity }: PlaceData, place: number, other: number) {
  const isTown = (population[place] ?? 0) >= TOWN_POPULATION;
  return isTown && (popularity[place] ?? 0) > FAR_BETTER_KNOWN * (popularity[other] ?? 0);
}

/**
 * Returns the place of a city in the region whose code is in place of the country: Los Angeles, CA.
 * The regions of large countries come first.
 */
export function findByRegionCode(data: PlaceData, city: string, code: string) {
  if (code.length > LONGEST_CODE) return undefined;
  for (const area of regionsEverywhere(data, code)) {
    const place = findInArea(data, city, area);
    if (place !== undefined && !isArea(place)) return { place, area };
  }
  return undefined;
}

/**
 * Returns the place of the first reading of a city's name that is certain in an area, or the area
 * that it means, see `exactMatch`. A misspelled name never matches another place.
 */
export function findInArea(
  data: PlaceData,
  city: string,
  searched: AreaRecord,
): number | undefined {
  let area;
  for (const reading of readings(city)) {
    const { kind } = reading;
    const place = placeOf(data, reading, searched);
    if (place === undefined) continue;
    if (kind === 'after' || kind === 'before' || kind === 'behind') {
      return isMisspelled(data, city, place, searched) ? undefined : place;
    }
    // "British Columbia, Richmond" is the town.
    if (kind !== 'parts' || !isArea(place)) return place;
    area = place;
  }
  return area;
}

/** Returns the best place of a reading in an area; undefined if there is none. */
function placeOf(data: PlaceData, reading: Reading, area: AreaRecord): number | undefined {
  const { kind, name, within } = reading;
  if (kind === 'district') return findDistrict(data, name, within.join(), area);
  // "Springfield Illinois USA", 中国广东省深圳市
  const isCountry = kind === 'before' || kind === 'behind';
  if (isCountry && countryNamed(data, within.join())?.codes[0] === area.codes[0]) {
    return findInArea(data, name, area);
  }
  const accepts = withinOf(data, reading, area);
  return accepts && findNamed(data, name, area, accepts);
}

/**
 * Returns the place of a district that is written with its city, or the city for an unknown
 * district: the city is near enough for the weather.
 */
function findDistrict(
  data: PlaceData,
  name: string,
  cityName: string,
  area: AreaRecord,
): number | undefined {
  const city = findInArea(data, cityName, area);
  if (city === undefined || isArea(city)) return undefined;
  if (populationOf(data, city) < DISTRICT_CITY_POPULATION) return undefined;
  if (!COUNTRIES_OF_DISTRICTS.has(countryOf(data, city)?.code ?? '')) return undefined;
  const isInCity = (place: number): boolean =>
    data.division[place] === data.division[city] &&
    kilometersBetween(data, city, place) <= DISTRICT_KM;
  const isFar = displayName(data, city) === CITY_OF_FAR_DISTRICTS;
  return findNamed(data, name, area, isInCity) ?? (isFar ? undefined : city);
}

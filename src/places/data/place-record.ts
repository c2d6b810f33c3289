import type { Point } from '../../weather/types.js';
import { lowerBound } from './binary-search.js';
import { distancesFrom } from '../../weather/distance.js';
import {
  UNKNOWN_ELEVATION,
  type AreaRecord,
  type CountryRecord,
  type GazetteerData,
} from './gazetteer-file.js';

/** Units of the coordinates in the file. */
export const UNITS_PER_DEGREE = 100_000;
/** Minimum population of a town. The names of smaller places are often ordinary words. */
export const TOWN_POPULATION = 15_000;
/** Maximum distance of a point from the place whose time zone it has. */
export const MAX_ZONE_KM = 50;

/** Returns the position of a place in decimal degrees. */
export function pointOf(data: GazetteerData, place: number): Point {
  return {
    latitude: (data.latitude[place] ?? 0) / UNITS_PER_DEGREE,
    longitude: (data.longitude[place] ?? 0) / UNITS_PER_DEGREE,
  };
}

/** Returns the meters of a place above the sea; undefined if unknown. */
export function elevationOf(data: GazetteerData, place: number): number | undefined {
  const elevation = data.elevation[place];
  return elevation === UNKNOWN_ELEVATION ? undefined : elevation;
}

/** Returns the great-circle distance between two places. */
export function kilometersBetween(data: GazetteerData, a: number, b: number): number {
  return distancesFrom(pointOf(data, a))(pointOf(data, b));
}

/** Returns the number of people of a place; 0 if unknown. */
export function populationOf(data: GazetteerData, place: number): number {
  return data.population[place] ?? 0;
}

/** Returns the index in `countries` of an ISO 3166-1 alpha-2 code; -1 if it has no places. */
export function countryIndex({ countries }: GazetteerData, code: string | undefined): number {
  return countries.findIndex((record) => record.code === code);
}

/** Returns the index of the place's country in `countries`. */
export function countryIndexOf(data: GazetteerData, place: number): number {
  return data.country[place] ?? -1;
}

/** Returns the record of the place's country. */
export function countryOf(data: GazetteerData, place: number): CountryRecord | undefined {
  return data.countries[countryIndexOf(data, place)];
}

/** Returns whether it is a part of a city, or a village with only a name and coordinates. */
export function isMinorPlace({ spatialPlaces }: GazetteerData, place: number): boolean {
  return spatialPlaces[lowerBound(spatialPlaces, place)] !== place;
}

/** Returns the English names of a place's first- and second-level regions; undefined if unknown. */
export function regionNamesOf(
  data: GazetteerData,
  place: number,
): [division: string | undefined, district: string | undefined] {
  const nameOf = (region = 0): string | undefined => data.regions[region - 1];
  return [nameOf(data.division[place]), nameOf(data.district[place])];
}

/** Returns whether a place lies in a region of either level. Without a region, every place does. */
export function inRegion(data: GazetteerData, place: number, region: number | undefined): boolean {
  return region === undefined || data.division[place] === region || data.district[place] === region;
}

/** Returns the area of a region with this number. */
export function areaOfRegion(data: GazetteerData, region: number): AreaRecord {
  const country = data.countries[data.regionCountry[region] ?? -1];
  return { codes: country ? [country.code] : [], region };
}

/** Returns the names of the places of a country, ascending. */
export function countryNames(data: GazetteerData, country: number): Uint32Array {
  const { countryNameStart } = data;
  return data.countryNames.subarray(countryNameStart[country], countryNameStart[country + 1]);
}

/** Yields the places of an area by country, the largest first. */
export function* placesIn(data: GazetteerData, { codes, region }: AreaRecord): Generator<number> {
  for (const code of codes) {
    const { first = 0, end = 0 } = data.countries[countryIndex(data, code)] ?? {};
    for (let place = first; place < end; place++) {
      if (inRegion(data, place, region) && !isMinorPlace(data, place)) yield place;
    }
  }
}

const decoder = new TextDecoder();

/** Returns the display name of a place: its English name, or its most common name. */
export function displayName(data: GazetteerData, place: number): string {
  return decoder.decode(data.names.subarray(data.nameStart[place], data.nameStart[place + 1]));
}

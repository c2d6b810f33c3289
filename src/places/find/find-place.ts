import type { AreaRecord } from '../data/gazetteer-file.js';
import {
  areaOfRegion,
  countryIndex,
  countryOf,
  displayName,
  inRegion,
  kilometersBetween,
  placesIn,
  populationOf,
  TOWN_POPULATION,
} from '../data/place-record.js';
import { KEYS, valuesOf } from '../data/key-hash.js';
import { areasNamed, countryNamed, LONGEST_CODE } from '../names/countries.js';
import { fold } from '../names/fold.js';
import {
  isFirstLevel,
  regionsByName,
  regionsEverywhere,
  regionsIn,
} from '../names/region-names.js';
import type { PlaceData } from '../place-data.js';
import { readings, type Reading } from '../read/readings.js';
import { withinOf } from '../read/within.js';
import { exactMatch } from './exact-match.js';
import { findNamed, isMisspelled } from './find-named.js';

/** Minimum ratio of the popularity of a well-known town to that of a place that few users mean: Derry, Ireland. */
const FAR_BETTER_KNOWN = 100;
/**
 * Minimum ratio of the populations of a metropolis and of the largest town of the region around it. The largest town of a
 * region has less than this ratio to a town that the name of the region can mean: Texas is not Texas City.
 */
const METROPOLIS_RATIO = 10;
/** Countries in which people write a district of a city with the city. */
const COUNTRIES_OF_DISTRICTS = new Set(['JP', 'KR', 'TW', 'CN']);
/** Minimum population of a city that has districts. The data has too low ones of some. */
const DISTRICT_CITY_POPULATION = 10_000;
/** Maximum distance of a district from its city. */
const DISTRICT_KM = 50;
/** A city as large as Austria: most of its districts are too far from its center. */
const CITY_OF_FAR_DISTRICTS = 'Chongqing';

/**
 * Returns the place that a city's name means in the first area that has it. Returns two places if the user must choose:
 * only a tiny place has the name there, and a town in an area that people also count to the country.
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
 * Returns the place of a city in the region whose code a user wrote as the country: Los Angeles, CA. The regions of large
 * countries come first.
 */
export function findByRegionCode(data: PlaceData, city: string, code: string) {
  if (code.length > LONGEST_CODE) return undefined;
  for (const area of regionsEverywhere(data, code)) {
    const place = findInArea(data, city, area);
    if (place !== undefined) return { place, area };
  }
  return undefined;
}

/**
 * Returns the place of the first reading of a city's name that is certain in an area. A misspelled name never matches
 * another place, and the name of a region matches no place in another region.
 */
export function findInArea(data: PlaceData, city: string, area: AreaRecord): number | undefined {
  for (const reading of readings(city)) {
    const place = placeOf(data, reading, area);
    if (place === undefined) continue;
    const { kind } = reading;
    const isWithin = kind === 'parts' || kind === 'reversed';
    if (!isWithin && isElsewhere(data, city, place, area)) continue;
    const isGuess = kind === 'after' || kind === 'before' || kind === 'behind';
    return isGuess && isMisspelled(data, city, place, area) ? undefined : place;
  }
  return undefined;
}

/** Returns the best place of a reading in an area; undefined if there is none. */
function placeOf(data: PlaceData, reading: Reading, area: AreaRecord): number | undefined {
  const { kind, name, within } = reading;
  if (kind === 'area') return findMainTown(data, name, area);
  if (kind === 'district') return findDistrict(data, name, within.join(), area);
  const accepts = withinOf(data, reading, area);
  return accepts && findNamed(data, name, area, accepts);
}

/**
 * Returns the place of a district that is written with its city. A district that the data does not have is its city: the
 * city is near enough for the weather.
 */
function findDistrict(
  data: PlaceData,
  name: string,
  cityName: string,
  area: AreaRecord,
): number | undefined {
  const city = findInArea(data, cityName, area);
  if (city === undefined || populationOf(data, city) < DISTRICT_CITY_POPULATION) return undefined;
  if (!COUNTRIES_OF_DISTRICTS.has(countryOf(data, city)?.code ?? '')) return undefined;
  const isInCity = (place: number): boolean =>
    data.division[place] === data.division[city] &&
    kilometersBetween(data, city, place) <= DISTRICT_KM;
  const isFar = displayName(data, city) === CITY_OF_FAR_DISTRICTS;
  return findNamed(data, name, area, isInCity) ?? (isFar ? undefined : city);
}

/**
 * Returns whether a text is the name of a first-level region that the place is not in: Colorado is not Colorado City in
 * Arizona. A town of this name is meant, such as Ontario in California, but no village.
 */
function isElsewhere(
  data: PlaceData,
  text: string,
  place: number,
  { codes, region }: AreaRecord,
): boolean {
  const isTown = populationOf(data, place) >= TOWN_POPULATION;
  const [name, folded] = [fold(displayName(data, place)), fold(text)];
  if (region !== undefined || (isTown && name === folded)) return false;
  // Mexico is the country, and not its state of this name.
  if (countryNamed(data, text)?.codes.some((code) => codes.includes(code))) return false;
  // Most places have the name itself. For these, the forms of a region's name would cost more than the lookup.
  const called =
    name === folded
      ? codes.flatMap((code) => [...valuesOf(data, KEYS.region(code, folded))])
      : regionsByName(data, codes, text);
  const all = called.filter((each) => isFirstLevel(data, each));
  const named = all.filter((each) => fold(data.regions[each - 1] ?? '') === folded);
  const isMeant = (each: number): boolean => {
    const [largest = -1] = placesIn(data, areaOfRegion(data, each));
    const share = populationOf(data, place) / populationOf(data, largest);
    // The former region of a place is not meant: Hyderabad was in Andhra Pradesh.
    const division = data.division[place];
    const isInside = division === each || (division === 0 && inRegion(data, place, each));
    if (isInside && share >= 1 / METROPOLIS_RATIO) return true;
    if (name === folded && (isInside || share >= 1)) return true;
    // In another language, the same text can be the name of the town and of the region: 华盛顿.
    if (isTown && fold(data.regions[each - 1] ?? '') === name) return true;
    // A shortened name of a region can be a former name of the metropolis in it: Leningrad.
    return named.length === 0 && share > METROPOLIS_RATIO;
  };
  return all.length > 0 && !(named.length > 0 ? named : all).some(isMeant);
}

/**
 * Returns the main town of a small country or region that a user names instead of a city: Malta, Bali, or DC by its code.
 * Returns undefined for large countries and regions, where one town does not stand for the weather.
 */
function findMainTown(data: PlaceData, name: string, area: AreaRecord): number | undefined {
  const { codes, region } = area;
  const isMeant = (each: AreaRecord) => each.region === region;
  if (region !== undefined && ![...areasNamed(data, name)].some(isMeant)) return undefined;
  const [code = ''] = countryNamed(data, name)?.codes ?? [];
  const country = codes.includes(code) ? countryIndex(data, code) : -1;
  const seatOf = (regions: number[]) =>
    regions.map((each) => seatIn(data.regionSeats, each)).find((seat) => seat !== undefined);
  const countrySeat = seatIn(data.countrySeats, country);
  // Guatemala is the country, and not its department of this name.
  if (fold(data.countries[country]?.name ?? '') === fold(name)) return countrySeat;
  const seat = seatOf(regionsByName(data, codes, name)) ?? countrySeat;
  if (seat !== undefined) return seat;
  const other = seatOf(regionsIn(data, codes, name));
  return other === undefined || isMisspelled(data, name, other, area) ? undefined : other;
}

function seatIn(seats: Uint32Array, index: number): number | undefined {
  const seat = seats[index] ?? 0;
  return seat === 0 ? undefined : seat - 1;
}

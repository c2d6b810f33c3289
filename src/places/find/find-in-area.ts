import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import {
  countryIndex,
  countryOf,
  displayName,
  kilometersBetween,
  populationOf,
  regionNamesOf,
} from '../data/place-record.js';
import { areasNamed, countryNamed } from '../names/countries.js';
import { regionsByName, regionsIn } from '../names/region-names.js';
import type { PlaceData } from '../place-data.js';
import { areaFilter, type PlaceFilter } from './exact-match.js';
import { findNamed, isMisspelled } from './find-named.js';
import { findWithoutComma } from './without-comma.js';

/** Returns the place that a city's name means in an area. A misspelled name never matches another place. */
export function findInArea(data: PlaceData, city: string, area: AreaRecord): number | undefined {
  return inRegionOrAlone(data, city, area) ?? findCityDistrict(data, city, area);
}

function inRegionOrAlone(data: PlaceData, city: string, area: AreaRecord): number | undefined {
  // The region after a comma counts first, even if the whole text is a former name of another place.
  const parts = city.split(',').map((part) => part.trim());
  const place =
    (parts.length > 1 ? inParts(data, parts, area) : undefined) ?? findNamed(data, city, area);
  if (place !== undefined || parts.length > 1) return place;
  const region = mainTown(data, city, area, regionsByName);
  const other =
    findWithoutComma(data, city, area) ?? region ?? mainTown(data, city, area, regionsIn);
  if (other === undefined || other === region) return other;
  return isMisspelled(data, city, other, area) ? undefined : other;
}

/** "Portland, Oregon", "Московская область, Химки": the place must lie in the regions that the other parts name. */
function inParts(data: PlaceData, parts: string[], area: AreaRecord): number | undefined {
  const [first = '', ...after] = parts;
  const last = parts.at(-1) ?? '';
  return inAll(data, first, after, area) ?? inAll(data, last, parts.slice(0, -1), area);
}

function inAll(
  data: PlaceData,
  name: string,
  others: string[],
  area: AreaRecord,
): number | undefined {
  // Lists have the form "London, City of".
  const inverted = [...others].reverse().join(' ');
  const within = filterOfAll(data, others, area) ?? areaFilter(data, inverted, area);
  return within && findNamed(data, name, area, within);
}

function filterOfAll(data: PlaceData, texts: string[], area: AreaRecord): PlaceFilter | undefined {
  const filters = texts
    .map((text) => areaFilter(data, text, area))
    .filter((filter) => filter !== undefined);
  if (filters.length < texts.length) return undefined;
  return (place) => filters.every((accepts) => accepts(place));
}

/**
 * Returns the main town of a small country or region that a user names instead of a city: Malta, Bali. Returns
 * undefined for large countries and regions, where one town does not stand for the weather.
 *
 * @param regionsOf finds regions by name only, or by code too, such as DC
 */
function mainTown(
  data: GazetteerData,
  name: string,
  { codes, region }: AreaRecord,
  regionsOf: typeof regionsIn,
): number | undefined {
  const isMeant = (area: AreaRecord) => area.region === region;
  if (region !== undefined && !areasNamed(data, name).some(isMeant)) return undefined;
  for (const each of regionsOf(data, codes, name)) {
    const seat = seatIn(data.regionSeats, each);
    if (seat !== undefined) return seat;
  }
  const [code] = countryNamed(data, name)?.codes ?? [];
  if (code === undefined || !codes.includes(code)) return undefined;
  return seatIn(data.countrySeats, countryIndex(data, code));
}

function seatIn(seats: Uint32Array, index: number): number | undefined {
  const seat = seats[index] ?? 0;
  return seat === 0 ? undefined : seat - 1;
}

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
 */
function findCityDistrict(data: PlaceData, text: string, area: AreaRecord): number | undefined {
  const { city: cityName = '', district: districtName = '' } =
    (DISTRICT_FIRST.exec(text) ?? CITY_FIRST.exec(text))?.groups ?? {};
  const city = cityName === '' ? undefined : findInArea(data, cityName, area);
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

import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { countryIndex } from '../data/place-record.js';
import { areasNamed, countryNamed } from '../names/countries.js';
import { regionsByName, regionsIn } from '../names/region-names.js';
import type { PlaceData } from '../place-data.js';
import { findCityDistrict } from './city-district.js';
import { areaFilter, type PlaceFilter } from './exact-match.js';
import { findNamed, isMisspelled } from './find-named.js';
import { findWithoutComma } from './without-comma.js';

/** Returns the place that a city's name means in an area. A misspelled name never matches another place. */
export function findInArea(data: PlaceData, city: string, area: AreaRecord): number | undefined {
  return findInRegionOrAlone(data, city, area) ?? findCityDistrict(data, city, area, findInArea);
}

function findInRegionOrAlone(data: PlaceData, city: string, area: AreaRecord): number | undefined {
  // The region after a comma counts first, even if the whole text is a former name of another place.
  const parts = city.split(',').map((part) => part.trim());
  const place =
    (parts.length > 1 ? findInParts(data, parts, area) : undefined) ?? findNamed(data, city, area);
  if (place !== undefined || parts.length > 1) return place;
  const region = findMainTown(data, city, area, regionsByName);
  const other =
    findWithoutComma(data, city, area) ?? region ?? findMainTown(data, city, area, regionsIn);
  if (other === undefined || other === region) return other;
  return isMisspelled(data, city, other, area) ? undefined : other;
}

/** "Portland, Oregon", "Московская область, Химки": the place must lie in the regions that the other parts name. */
function findInParts(data: PlaceData, parts: string[], area: AreaRecord): number | undefined {
  const [first = '', ...after] = parts;
  const last = parts.at(-1) ?? '';
  return findInAll(data, first, after, area) ?? findInAll(data, last, parts.slice(0, -1), area);
}

function findInAll(
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
function findMainTown(
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

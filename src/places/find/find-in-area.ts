import type { AreaRecord } from '../data/gazetteer-file.js';
import type { PlaceData } from '../place-data.js';
import { areaFilter } from './area-filter.js';
import { findCityDistrict } from './city-district.js';
import type { PlaceFilter } from './exact-match.js';
import { findNamed } from './find-named.js';
import { mainTown } from './main-town.js';
import { isMisspelled } from './misspelled.js';
import { findWithoutComma } from './without-comma.js';

/** Returns the place that a city's name means in an area. A misspelled name never matches another place. */
export function findInArea(data: PlaceData, city: string, area: AreaRecord): number | undefined {
  const find = (name: string) => findInArea(data, name, area);
  return inRegionOrAlone(data, city, area) ?? findCityDistrict(data, city, area, find);
}

function inRegionOrAlone(data: PlaceData, city: string, area: AreaRecord): number | undefined {
  // The region after a comma counts first, even if the whole text is a former name of another place.
  const parts = city.split(',').map((part) => part.trim());
  const place =
    (parts.length > 1 ? inParts(data, parts, area) : undefined) ?? findNamed(data, city, area);
  if (place !== undefined || parts.length > 1) return place;
  const region = mainTown(data, city, area, 'name');
  const other = findWithoutComma(data, city, area) ?? region ?? mainTown(data, city, area, 'code');
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
  const conditions = conditionsOf(data, others, area) ?? conditionsOf(data, [inverted], area);
  if (!conditions) return undefined;
  return findNamed(data, name, area, (place) => conditions.every((holds) => holds(place)));
}

function conditionsOf(
  data: PlaceData,
  others: string[],
  area: AreaRecord,
): PlaceFilter[] | undefined {
  const conditions: PlaceFilter[] = [];
  for (const other of others) {
    const condition = areaFilter(data, other, area);
    if (!condition) return undefined;
    conditions.push(condition);
  }
  return conditions;
}

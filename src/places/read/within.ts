import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { countryOf, inRegion, kilometersBetween } from '../data/place-record.js';
import { exactMatch, isArea, type PlaceFilter } from '../find/exact-match.js';
import { areasNamed } from '../names/countries.js';
import { fold } from '../names/fold.js';
import { regionsBehindName, regionsByName, regionsIn } from '../names/region-names.js';
import type { Reading } from './readings.js';

/** Maximum distance at which a place counts as near a city: "Shinjuku, Tokyo". */
const NEAR_CITY_KM = 50;

/** Returns a filter for the places in all areas of a reading; undefined if a text names no area. */
export function withinOf(
  data: GazetteerData,
  { kind, within }: Reading,
  area: AreaRecord,
): PlaceFilter | undefined {
  const [text = ''] = within;
  if (kind === 'after') return regionFilter(data, regionsBehindName(data, area.codes, text));
  // Only the full name of a region precedes a town's name: "NE Orleans" does not mean Nebraska.
  if (kind === 'before') return regionFilter(data, regionsByName(data, area.codes, text));
  if (kind === 'behind') return areaFilter(data, text, area);
  const filters = within.map((each) => nearFilter(data, each, area));
  if (filters.every((filter) => filter !== undefined)) {
    return (place) => filters.every((accepts) => accepts(place));
  }
  // Lists have the form "London, City of".
  return nearFilter(data, [...within].reverse().join(' '), area);
}

/**
 * Returns a filter for the places of the area that lie in the region or country that a text names,
 * or near the city of that name; undefined if the text names none of them.
 */
export function nearFilter(
  data: GazetteerData,
  text: string,
  area: AreaRecord,
): PlaceFilter | undefined {
  return areaFilter(data, text, area) ?? nearCity(data, text, area);
}

/** `nearFilter` without cities. Regions come before countries: "Georgia" is the state. */
export function areaFilter(data: GazetteerData, text: string, area: AreaRecord) {
  return regionFilter(data, regionsIn(data, area.codes, text)) ?? inCountry(data, text, area);
}

/** Returns a filter for the places of some regions; undefined if there are none. */
export function regionFilter(data: GazetteerData, regions: number[]): PlaceFilter | undefined {
  if (regions.length === 0) return undefined;
  return (place) => regions.some((region) => inRegion(data, place, region));
}

function inCountry(data: GazetteerData, text: string, area: AreaRecord): PlaceFilter | undefined {
  const [named] = areasNamed(data, text);
  const areas = named ? [named, ...(named.also ?? [])] : [];
  const known = areas.filter(({ codes }) => codes.some((code) => area.codes.includes(code)));
  if (known.length === 0) return undefined;
  return (place) => {
    const { code = '' } = countryOf(data, place) ?? {};
    return known.some(({ codes, region }) => codes.includes(code) && inRegion(data, place, region));
  };
}

function nearCity(data: GazetteerData, text: string, area: AreaRecord): PlaceFilter | undefined {
  const city = exactMatch(data, fold(text), area);
  if (city === undefined || isArea(city)) return undefined;
  return (place) => kilometersBetween(data, city, place) <= NEAR_CITY_KM;
}

import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { countryIndex, inRegion, isMinorPlace } from '../data/place-record.js';
import { unambiguousName } from '../names/unambiguous-name.js';
import type { PlaceData } from '../place-data.js';

/** A place that is suggested, and the name by which a lookup finds it. */
export interface Suggestion {
  place: number;
  city: string;
}

/** Returns the first places that a lookup finds by a name, each once, with this name. */
export function suggestionsOf(
  data: PlaceData,
  places: Iterable<number>,
  limit: number,
): Suggestion[] {
  const cities = new Map<number, string>();
  for (const place of places) {
    if (cities.size === limit) break;
    const city = cities.has(place) ? undefined : unambiguousName(data, place);
    if (city !== undefined) cities.set(place, city);
  }
  return [...cities].map(([place, city]) => ({ place, city }));
}

/** Returns the largest towns of the first area that has any. @param within the area that must contain it */
export function townsIn(
  data: PlaceData,
  areas: Iterable<AreaRecord>,
  limit: number,
  within?: AreaRecord,
): Suggestion[] {
  for (const area of areas) {
    if (within && !within.codes.includes(area.codes[0] ?? '')) continue;
    const found = suggestionsOf(data, placesIn(data, area), limit);
    if (found.length > 0) return found;
  }
  return [];
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

import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { countryIndex, inRegion, isMinorPlace } from '../data/place-record.js';
import { areasNamed } from '../names/countries.js';
import { unambiguousName } from '../names/unambiguous-name.js';
import type { PlaceData } from '../place-data.js';

/** A place that is suggested, and the name by which a lookup finds it. */
export interface Suggestion {
  place: number;
  city: string;
}

/** Returns the largest towns of the first area that has any. @param within the area that must contain it */
export function townsIn(
  data: PlaceData,
  areas: AreaRecord[],
  limit: number,
  within?: AreaRecord,
): Suggestion[] {
  for (const area of areas) {
    if (within && !within.codes.includes(area.codes[0] ?? '')) continue;
    const found: Suggestion[] = [];
    for (const place of placesIn(data, area)) {
      const city = unambiguousName(data, place);
      if (city !== undefined) found.push({ place, city });
      if (found.length === limit) break;
    }
    if (found.length > 0) return found;
  }
  return [];
}

/** Returns the largest towns of the country or region that the text names, or to which it is similar. */
export function townsOfSimilar(data: PlaceData, text: string, limit: number, within?: AreaRecord) {
  const similar = data.similarAreas(text).map(({ area }) => area);
  return townsIn(data, [...areasNamed(data, text), ...similar], limit, within);
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

import { fold } from '../names/fold.js';
import type { Countries } from '../names/countries.js';
import type { GazetteerData } from '../data/gazetteer-file.js';
import { inArea, inRegion } from './exact-match.js';
import { countryOf, regionNamesOf } from '../data/place-record.js';
import type { RegionNames } from '../names/region-names.js';

/**
 * Returns whether a place lies in the region or country that a text names, or whose English name begins with the
 * text.
 */
export type LiesIn = (place: number, text: string) => boolean;

export function createLiesIn(
  data: GazetteerData,
  countries: Countries,
  regionNames: RegionNames,
): LiesIn {
  return (place, text) => {
    const { code = '', name = '' } = countryOf(data, place) ?? {};
    const folded = fold(text);
    for (const within of [name, ...regionNamesOf(data, place)]) {
      if (fold(within ?? '').startsWith(folded)) return true;
    }
    if (regionNames.inCountry(code, text).some((region) => inRegion(data, place, region)))
      return true;
    const area = countries.resolve(text);
    return area !== undefined && inArea(data, place, area);
  };
}

import { fold } from './fold.js';
import type { Countries } from './countries.js';
import type { GazetteerData } from './gazetteer-file.js';
import { inRegion } from './exact-match.js';
import type { RegionNames } from './region-names.js';

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
    const { code = '', name = '' } = data.countries[data.country[place] ?? -1] ?? {};
    const folded = fold(text);
    if (fold(name).startsWith(folded)) return true;
    for (const region of [data.division[place] ?? 0, data.district[place] ?? 0]) {
      if (fold(data.regions[region - 1] ?? '').startsWith(folded)) return true;
    }
    if (regionNames.inCountry(code, text).some((region) => inRegion(data, place, region)))
      return true;
    const area = countries.resolve(text);
    return (
      area !== undefined &&
      area.codes.includes(code) &&
      (area.region === undefined || inRegion(data, place, area.region))
    );
  };
}

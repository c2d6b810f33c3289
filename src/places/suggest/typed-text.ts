import { ASCII } from '../../text/typography.js';
import type { AreaRecord } from '../data/gazetteer-file.js';
import { countryOf, regionNamesOf } from '../data/place-record.js';
import { areaFilter } from '../find/exact-match.js';
import { fold, foldTyped } from '../names/fold.js';
import type { PlaceData } from '../place-data.js';
import type { Reading } from '../read/readings.js';
import { namesBeginningWith, namesEqualTo, type ScoredName } from './name-search.js';
import { byShownName } from './shown-fit.js';

/** Returns the names that equal that of a reading, of places in all of the areas that the user has typed. */
export function namesIn(
  data: PlaceData,
  { name, within }: Pick<Reading, 'name' | 'within'>,
  area?: AreaRecord,
): ScoredName[] {
  // "Iran, Islamic Republic of" is one country.
  const whole = within.join(', ');
  return namesEqualTo(data, fold(name), area).filter((each) => {
    const isIn = (part: string) => liesIn(data, data.nameList.place(each.name), part);
    return within.every(isIn) || isIn(whole);
  });
}

/** Returns whether a place lies in the area that a text names, or whose English name begins with the text. */
function liesIn(data: PlaceData, place: number, text: string): boolean {
  const { code = '', name = '' } = countryOf(data, place) ?? {};
  const folded = fold(text);
  const isBegun = (area = '') => fold(area).startsWith(folded);
  if ([name, ...regionNamesOf(data, place)].some(isBegun)) return true;
  // Without the towns near a city of that name: users choose among suggestions of all regions.
  return areaFilter(data, text, { codes: [code] }, Infinity)?.(place) ?? false;
}

/** Returns the names that a text begins, the most likely first, after those that the name of a reading equals in its areas. */
export function namesMatching(
  data: PlaceData,
  text: string,
  reading: Reading | undefined,
  area?: AreaRecord,
): ScoredName[] {
  const folded = foldTyped(text);
  const begun = namesBeginningWith(data, folded, area);
  return [
    // "Springfield, Ill": the name is complete, and the user still types the region or country.
    ...(reading?.within.length ? namesIn(data, reading, area) : []),
    // Shown names are in Latin letters, so a text in another script begins none of them.
    ...(ASCII.test(folded) ? byShownName(data, text, folded, begun) : begun),
    // The data may have a name without the Arabic article: الخرطوم.
    ...(fold(text) === folded ? [] : namesEqualTo(data, fold(text), area)),
  ];
}

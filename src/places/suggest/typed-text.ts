import { ASCII } from '../../text/typography.js';
import type { AreaRecord } from '../data/gazetteer-file.js';
import { countryOf, regionNamesOf } from '../data/place-record.js';
import { areaFilter } from '../find/exact-match.js';
import { fold, foldTyped } from '../names/fold.js';
import type { PlaceData } from '../place-data.js';
import { namesBeginningWith, namesEqualTo, type ScoredName } from './name-search.js';
import { byShownName } from './shown-fit.js';

/** Number of words at the end of a text without a comma that are tried as a region or country. */
const MAX_AREA_WORDS = 3;

/** A name, and the regions and countries after it. */
export interface NameParts {
  name: string;
  within: string[];
}

/** Splits a text at its commas. */
export function partsOf(text: string): NameParts {
  const [name = '', ...within] = text.split(',').map((part) => part.trim());
  return { name, within: within.filter((part) => part !== '') };
}

/** Yields complete names before a region or country: "New York USA". */
export function* withoutComma(text: string): Generator<NameParts> {
  const words = text.includes(',') ? [] : text.trim().split(' ');
  for (let count = 1; count <= MAX_AREA_WORDS && count < words.length; count++) {
    yield { name: words.slice(0, -count).join(' '), within: [words.slice(-count).join(' ')] };
  }
}

/** Returns the names that equal a text, of places in all of the regions and countries that the user has typed. */
export function namesIn(
  data: PlaceData,
  { name, within }: NameParts,
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

/** Returns the names that a user may mean with a text that is not complete, the most likely first, without a region or country. */
export function namesMatching(data: PlaceData, text: string, area?: AreaRecord): ScoredName[] {
  const parts = partsOf(text);
  const folded = foldTyped(text);
  const begun = namesBeginningWith(data, folded, area);
  return [
    // "Springfield, Ill": the name is complete, and the user still types the region or country.
    ...(parts.within.length > 0 ? namesIn(data, parts, area) : []),
    // Shown names are in Latin letters, so a text in another script begins none of them.
    ...(ASCII.test(folded) ? byShownName(data, text, folded, begun) : begun),
    // The data may have a name without the Arabic article: الخرطوم.
    ...(fold(text) === folded ? [] : namesEqualTo(data, fold(text), area)),
  ];
}

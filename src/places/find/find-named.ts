import type { AreaRecord } from '../data/gazetteer-file.js';
import { KEYS, valuesOf } from '../data/key-hash.js';
import { NameKind } from '../data/name-list.js';
import { displayName, inRegion, populationOf, TOWN_POPULATION } from '../data/place-record.js';
import { fold } from '../names/fold.js';
import { countryNamed, splitRemark, type NameWithRemark } from '../names/countries.js';
import { bareRegion, regionsByName } from '../names/region-names.js';
import type { PlaceData } from '../place-data.js';
import { placesBegunBy } from '../suggest/name-search.js';
import { nearFilter, regionFilter } from '../read/within.js';
import { exactMatch, townOf, type PlaceFilter } from './exact-match.js';

const WORD_BREAK = /[ -]+/;
/** Minimum length of a name and its remark, folded. Too many names have shorter ones by chance. */
const MIN_LENGTH = 3;

/** Returns an area's best place of a name or its variants, among those that `within` accepts. */
export function findNamed(
  data: PlaceData,
  name: string,
  area: AreaRecord,
  within: PlaceFilter,
): number | undefined {
  const place = exactMatch(data, fold(name), area, within);
  if (place !== undefined) return place;
  const remarked = splitRemark(name);
  if (remarked) return findWithRemark(data, remarked, area, within);
  const { codes: [code = ''] = [], region } = countryNamed(data, name) ?? {};
  const isWhole = region === undefined && area.region === undefined && area.codes.includes(code);
  const [seat] = isWhole ? valuesOf(data, KEYS.areaTown(code, '')) : [];
  if (seat !== undefined && within(townOf(seat))) return seat;
  const called = name.includes(',') ? [] : regionsByName(data, area.codes, name);
  const isCalled = regionFilter(data, called);
  if (isCalled) {
    const accepts = (each: number): boolean =>
      isCalled(each) && within(each) && inRegion(data, each, area.region);
    const folded = fold(bareRegion(name));
    // "New York State" is the state.
    const [town, large] = valuesOf(data, KEYS.areaTown(area.codes[0] ?? '', folded));
    const meant = large ?? town;
    if (meant !== undefined && accepts(townOf(meant))) return meant;
    return exactMatch(data, folded, area, accepts);
  }
  for (const form of otherForms(data, name, area.codes)) {
    const other = exactMatch(data, fold(form), area, within);
    if (other !== undefined) return isMisspelled(data, name, other, area) ? undefined : other;
  }
  return undefined;
}

/** Yields forms of a name that users shorten, or extend ("City of"), the most likely first. */
function* otherForms({ formRules }: PlaceData, name: string, codes: string[]): Generator<string> {
  for (const { pattern, replacement, countries } of formRules) {
    if (countries && !codes.some((code) => countries.includes(code))) continue;
    const form = name.replace(pattern, replacement);
    if (form !== name) yield form;
  }
}

/**
 * Returns whether a text that is not a name, but matched `place` by a variant, is more likely the
 * misspelled main name of another place: "Diamond ar" is Diamond Bar, and not the Diamond in
 * Arkansas (AR). The other place must be a town, or at least as large as `place`.
 */
export function isMisspelled(
  data: PlaceData,
  text: string,
  place: number,
  area: AreaRecord,
): boolean {
  const { nameList, similarNames } = data;
  const minPopulation = Math.min(TOWN_POPULATION, populationOf(data, townOf(place)));
  return similarNames(fold(text), area.codes, 1).some(({ name }) => {
    const other = nameList.place(name);
    return (
      other !== place &&
      populationOf(data, other) >= minPopulation &&
      nameList.kind(name) === NameKind.main &&
      // "Boston MA" does not mean Bostonia.
      displayName(data, other).split(WORD_BREAK).length === text.split(WORD_BREAK).length
    );
  });
}

/**
 * Finds the place of a name with a remark that is not a part of the name: a region, a nearby city,
 * another name of the place, or a word of its full name: "Paris (Texas)", "Mumbai (Bombay)",
 * "Marburg (Lahn)". Any other remark does not matter if only one place has the name.
 */
function findWithRemark(
  data: PlaceData,
  { bare, remark }: NameWithRemark,
  area: AreaRecord,
  within: PlaceFilter,
): number | undefined {
  const folded = fold(bare);
  const isNear = nearFilter(data, remark, area);
  const near = isNear && exactMatch(data, folded, area, (place) => isNear(place) && within(place));
  const place = near ?? findLongerName(data, folded, fold(remark), area, within);
  if (place !== undefined) return place;
  const only = exactMatch(data, folded, area, within);
  const isOther = (other: number): boolean => other !== only;
  return exactMatch(data, folded, area, isOther) === undefined ? only : undefined;
}

/** Returns the best-known place whose shown name begins with a text, and then has the remark. */
function findLongerName(
  data: PlaceData,
  folded: string,
  remark: string,
  area: AreaRecord,
  within: PlaceFilter,
): number | undefined {
  if (folded.length < MIN_LENGTH || remark.length < MIN_LENGTH) return undefined;
  const found = placesBegunBy(data, folded, area).find(
    ({ place }) => within(place) && fold(displayName(data, place)).includes(remark, folded.length),
  );
  return found?.place;
}

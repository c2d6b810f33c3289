import type { AreaRecord, CountryRecord } from '../data/gazetteer-file.js';
import {
  countryIndex,
  countryOf,
  displayName,
  inRegion,
  placesIn,
  populationOf,
  regionNamesOf,
} from '../data/place-record.js';
import { exactMatch, isArea, type PlaceFilter } from '../find/exact-match.js';
import { areasNamed, countryNamed } from '../names/countries.js';
import { fold, foldedWords } from '../names/fold.js';
import { isFirstLevel } from '../names/region-names.js';
import { unambiguousName } from '../names/unambiguous-name.js';
import type { PlaceData } from '../place-data.js';
import { readings, type Reading } from '../read/readings.js';
import { areaFilter } from '../read/within.js';
import { allowedEdits } from '../similar/similar-names.js';
import {
  byScore,
  MIN_SCORE_SHARE,
  nameScore,
  placesBegunBy,
  placesNamed,
  type Scored,
} from './name-search.js';

/** A place that is suggested, and the name by which a lookup finds it. */
interface Suggestion {
  place: number;
  city: string;
}

/** The kinds of readings whose name can also be that of a country or region. */
const NAMES_AREAS = new Set<Reading['kind']>(['parts', 'whole', 'after']);
/** The code of a country in ISO 3166-1, or of a region. */
const CODE = /^[a-z]{2,3}$/i;
/** Weights of the towns of a country and of a region that a text names, as `WEIGHTS` of names. */
const COUNTRY_WEIGHT = 512;
const REGION_WEIGHT = 40;
/** Each further place of a list has its score divided by this, so that another list follows. */
const NEXT_PENALTY = 16;
/** Each edit divides the score of a name by this. */
const EDIT_PENALTY = 64;
/** Shorter names are within one edit of too many other names. */
const MIN_LENGTH = 3;
/** Maximum number of towns of an area that are suggested. */
const MAX_TOWNS = 10;
/** A region is meant if its largest town has this share of the best score of its name's places. */
const MIN_TOWN_SHARE = 1 / 4000;
/** Minimum share of its region's largest population by which a place, not the region, is meant. */
const MIN_OWN_SHARE = 1 / 10;
const MIN_OWN_SCORE = 1 / 8;

/**
 * Returns places whose name begins with a text, the most likely first; undefined for an unknown
 * country. The towns of a country or region that the text names are among them. If there are none,
 * the places are those of the next readings of the text, and then the largest towns of a country or
 * region with a similar name.
 */
export function suggest(
  data: PlaceData,
  text: string,
  limit: number,
  country?: string,
): Suggestion[] | undefined {
  const countries = country === undefined ? [] : [...areasNamed(data, country)];
  if (country !== undefined && countries.length === 0) return undefined;
  const areas = countries.flatMap((each) => [each, ...(each.also ?? [])]);
  const hasPlaces = (area: AreaRecord) => placesBegunBy(data, text, area).length > 0;
  const meant = areas.length > 1 ? areas.find(hasPlaces) : undefined;
  return suggestIn(data, text, limit, meant ?? areas[0]);
}

/**
 * Returns the suggestions for a text in an area, by one score of the places of all of its lists.
 * @param isComplete whether the text is a whole name, which can have spelling errors
 */
export function suggestIn(
  data: PlaceData,
  text: string,
  limit: number,
  area?: AreaRecord,
  isComplete = false,
): Suggestion[] {
  for (const reading of readings(text.trim())) {
    const { kind, name, within } = reading;
    const isWhole = kind === 'whole';
    const country = countryNamed(data, within.join(', '));
    const isSplit = kind === 'before' || kind === 'behind';
    // "Springfield Illinois USA", 中国广东省深圳市
    if (isSplit && country && country.codes[0] === (area ?? country).codes[0]) {
      const found = suggestIn(data, name, limit, area ?? country, isComplete);
      if (found.length > 0) return found;
    }
    const named = isWhole ? placesBegunBy(data, text, area) : placesOf(data, reading, area);
    // What a lookup finds comes first.
    const where = isWhole && named.length === 0 ? area : country;
    const place = where && exactMatch(data, fold(name), where);
    const first = place === undefined || isArea(place) ? [] : [{ place, score: Infinity }];
    const lists = [first, named, ...townsOf(data, reading, named, area)];
    if (isWhole && area && (isComplete || named.length === 0)) {
      lists.push(similarPlaces(data, text, area));
    }
    const found = suggestionsOf(data, lists, limit);
    if (found.length > 0) return found;
  }
  return suggestionsOf(data, townsNamed(data, text, area), limit);
}

/** Returns the best places of several lists, each once, with a name by which a lookup finds it. */
export function suggestionsOf(data: PlaceData, lists: Scored[][], limit: number): Suggestion[] {
  const all = lists.flatMap((list) =>
    list.map(({ place, score }, i) => ({ place, score: score / NEXT_PENALTY ** i })),
  );
  const cities = new Map<number, string>();
  for (const { place } of lists.length > 1 ? all.sort(byScore) : all) {
    if (cities.size === limit) break;
    const city = cities.has(place) ? undefined : unambiguousName(data, place);
    if (city !== undefined) cities.set(place, city);
  }
  return [...cities].map(([place, city]) => ({ place, city }));
}

/** Returns a reading's places in all its areas. The last may be incomplete: "Springfield, Ill". */
function placesOf(data: PlaceData, { name, within }: Reading, area?: AreaRecord): Scored[] {
  if (within.length === 0) return [];
  const filters = new Map<CountryRecord | undefined, PlaceFilter>();
  return placesNamed(data, fold(name), area).filter(({ place }) => {
    const country = countryOf(data, place);
    const accepts = filters.get(country) ?? allOf(data, within, country);
    filters.set(country, accepts);
    return accepts(place);
  });
}

/** Returns a filter for the places of a country that lie in all areas that some texts name. */
function allOf(data: PlaceData, within: string[], country: CountryRecord | undefined): PlaceFilter {
  const filters = within.map((text) => beginFilter(data, text, country));
  // "Iran, Islamic Republic of" is one country.
  const isInWhole = beginFilter(data, within.join(', '), country);
  return (place) => filters.every((accepts) => accepts(place)) || isInWhole(place);
}

/** Returns a filter for the places in the area that a text names, or whose name begins so. */
function beginFilter(data: PlaceData, text: string, country?: CountryRecord): PlaceFilter {
  const { code = '', name = '' } = country ?? {};
  const folded = fold(text);
  const isBegun = (area = '') => fold(area).startsWith(folded);
  if (isBegun(name)) return () => true;
  // Not near a city of that name: users choose among suggestions of all regions.
  const isIn = areaFilter(data, text, { codes: [code] });
  return (place) => regionNamesOf(data, place).some(isBegun) || (isIn?.(place) ?? false);
}

/** Returns the largest towns of each area of a reading, unless a place of its name is meant. */
function townsOf(
  data: PlaceData,
  reading: Reading,
  named: Scored[],
  area?: AreaRecord,
): Scored[][] {
  const best = named[0]?.score ?? 0;
  return areasOf(data, reading, area).flatMap((each) => {
    const towns = townsIn(data, each);
    const [largest] = towns;
    if (!largest || largest.score < MIN_TOWN_SHARE * best) return [];
    const people = MIN_OWN_SHARE * populationOf(data, largest.place);
    const isOwn = named.some(
      ({ place, score, isExact }) =>
        isExact &&
        score >= MIN_OWN_SCORE * best &&
        each.codes.includes(countryOf(data, place)?.code ?? '') &&
        inRegion(data, place, each.region) &&
        populationOf(data, place) >= people,
    );
    return isOwn ? [] : [towns];
  });
}

/** Returns the largest towns of an area. */
function townsIn(data: PlaceData, area: AreaRecord): Scored[] {
  const weight = area.region === undefined ? COUNTRY_WEIGHT : REGION_WEIGHT;
  const towns: Scored[] = [];
  for (const place of placesIn(data, area)) {
    towns.push({ place, score: weight * (data.popularity[place] ?? 0) });
    if (towns.length === MAX_TOWNS) break;
  }
  return towns;
}

/** Returns a reading's countries and first-level regions, in its country, or one that begins so. */
function areasOf(
  data: PlaceData,
  { kind, name, within }: Reading,
  area?: AreaRecord,
): AreaRecord[] {
  const words = foldedWords(name);
  // The user still types the last word: "san a" is not Sanaa. A text with a comma names no area.
  if (!NAMES_AREAS.has(kind) || name.includes(',')) return [];
  if (words.length > 1 && words.at(-1)?.length === 1) return [];
  const folded = fold(name);
  const codes = countryNamed(data, within.join(', '))?.codes ?? [];
  const country = fold(within.join());
  const isIn = (code: string) =>
    codes.includes(code) ||
    fold(data.countries[countryIndex(data, code)]?.name ?? '').startsWith(country);
  return [...areasNamed(data, name)].filter(({ codes: [code = ''], region }) => {
    if (area && !area.codes.includes(code)) return false;
    if (region === undefined) return isIn(code) && !CODE.test(name);
    const shown = data.regions[region - 1] ?? '';
    // "per" is a code, and "Georgetown" is not George Town.
    const isSpelled = fold(shown) !== folded || foldedWords(shown).length === words.length;
    const isName = CODE.test(name) ? fold(shown) === folded : isSpelled;
    return isName && isFirstLevel(data, region) && isIn(code);
  });
}

/** Returns the places of an area with names that are similar to a text, the most likely first. */
function similarPlaces(data: PlaceData, name: string, { codes, region }: AreaRecord): Scored[] {
  const folded = fold(name);
  if (folded.length < MIN_LENGTH) return [];
  const similar = data
    .similarNames(folded, codes, allowedEdits(folded.length))
    .map(({ name, edits }) => ({
      place: data.nameList.place(name),
      score: nameScore(data, name, true) / EDIT_PENALTY ** edits,
    }))
    .filter(({ place }) => inRegion(data, place, region))
    .sort(byScore);
  const least = MIN_SCORE_SHARE * (similar[0]?.score ?? 0);
  const shown = new Set<string>();
  return similar.filter(({ place, score }) => {
    // Each shown name once: "Carrollton, Texas".
    const name = fold(displayName(data, place));
    return score >= least && !shown.has(name) && shown.add(name);
  });
}

/**
 * Returns the largest towns of the first country or region that a text names, also with spelling
 * errors, in an area and in the country after a comma.
 */
export function townsNamed(data: PlaceData, text: string, area?: AreaRecord): Scored[][] {
  const [{ name, within }] = [...readings(text.trim())] as [Reading];
  const country = countryNamed(data, within.join(', '));
  // "Adygeya, Respublika"
  const areaName = within.length > 0 && !country ? [...within, name].join(' ') : name;
  const isWithin = ({ codes: [code = ''] }: AreaRecord): boolean =>
    [area, country].every((all) => all?.codes.includes(code) ?? true);
  const similar = data.similarAreas(areaName).find((each) => isWithin(each.area))?.area;
  const [first = similar, ...others] = [...areasNamed(data, areaName)].filter(isWithin);
  // Java is several regions.
  const same = others.filter((each) => first?.region && each.codes[0] === first.codes[0]);
  return first ? [first, ...same].map((each) => townsIn(data, each)).filter(([town]) => town) : [];
}

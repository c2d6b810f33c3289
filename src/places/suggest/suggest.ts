import { ASCII } from '../../text/typography.js';
import { fold } from '../names/fold.js';
import type { Countries } from '../names/countries.js';
import {
  countryIndex,
  countryOf,
  displayName,
  populationOf,
  regionNamesOf,
} from '../data/place-record.js';
import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import type { AreaFilter } from '../find/area-filter.js';
import { inRegion } from '../find/exact-match.js';
import type { NameList } from '../data/name-list.js';
import { partsOf, withoutComma, type NameParts } from './name-parts.js';
import { createNameSearch } from './name-search.js';
import type { ScoredItem } from '../data/segment-tree.js';
import type { SimilarAreas } from '../similar/similar-areas.js';
import { createShownFit, shownFirst, type RatedName } from './shown-fit.js';
import { foldTyped } from './typed-names.js';
import type { UnambiguousName } from '../names/unambiguous-name.js';

/** A suggested place, and the name by which a lookup finds it. */
export interface Suggestion {
  place: number;
  city: string;
}

/**
 * Maximum number of names of which the shown names are compared with the text. More: a text costs more CPU time. Fewer than
 * 40: `npm run quality:places` finds worse suggestions.
 */
const MAX_COMPARED = 60;
/** Least population of a city. Lower: "peki" suggests Pekin in Illinois before Beijing. */
const CITY_POPULATION = 100_000;
/** The code of a country in ISO 3166-1. */
const CODE = /^[a-z]{2,3}$/i;
/** The share of the suggestions that are towns of the country or region that the text names, if there are others. */
const SHARE_OF_TOWNS = 1 / 2;
/**
 * Least ratio of the population of a region's largest town to that of each place whose name begins with the region's. Lower:
 * "hanover" suggests towns of a parish of Jamaica. Higher: "florida" does not suggest Miami.
 */
const TOWN_RATIO = 10;

/** Creates the search for names by their beginning, in descending order of score. */
export function createSuggest(
  data: GazetteerData,
  names: NameList,
  countries: Countries,
  areaFilter: AreaFilter,
  unambiguousName: UnambiguousName,
  areas: SimilarAreas,
) {
  const { beginningWith, equalTo } = createNameSearch(data, names);

  /**
   * Returns places whose name begins with a text, the most likely first; undefined for an unknown country. If there are
   * none, the text may be a country or region with spelling errors: returns its largest towns.
   */
  return (text: string, limit: number, country?: string): Suggestion[] | undefined => {
    const area = country === undefined ? undefined : countries.resolve(country);
    if (country !== undefined && !area) return undefined;
    const parts = partsOf(text);
    const found = firstOf(matches(text, area), limit, area ? [] : townsOf(parts, limit));
    const towns = area ? [] : townsOfLargeRegion(parts, limit, found);
    if (towns.length > 0) return firstOf(matches(text), limit, towns);
    if (found.length > 0) return found;
    for (const each of withoutComma(text)) {
      const inEach = firstOf(namesIn(each, area), limit, area ? [] : townsOf(each, limit));
      if (inEach.length > 0) return inEach;
    }
    return townsOfSimilar(parts, limit, area);
  };

  /**
   * Returns the largest towns of the country, or of the region in a country, that the text names, if it names no city: India,
   * "Nevada, US", but neither Granada (Grenada) nor "Schwyz, Switzerland".
   */
  function townsOf(parts: NameParts, limit: number): Suggestion[] {
    const { name, within } = parts;
    // "per" is a code, and the beginning of Perth.
    if (CODE.test(name)) return [];
    const area = within.length === 0 ? countries.country(name) : regionOf(parts);
    if (!area) return [];
    const folded = fold(name);
    const cities = namesIn(parts)
      .map(({ item }) => names.place(item))
      .filter((place) => fold(displayName(data, place)) === folded);
    const [first = -1] = cities;
    const isCity =
      cities.some((place) => populationOf(data, place) >= CITY_POPULATION) ||
      (area.region !== undefined && inRegion(data, first, area.region));
    return isCity ? [] : areas.townsIn([area], limit);
  }

  /** Returns the largest towns of the region that the text names without a country, if they are far larger than what is found. */
  function townsOfLargeRegion(parts: NameParts, limit: number, found: Suggestion[]) {
    const isAlone = parts.within.length === 0 && !CODE.test(parts.name);
    const region = isAlone ? regionOf(parts) : undefined;
    const towns = region ? areas.townsIn([region], limit) : [];
    const [largest] = towns.map(({ place }) => populationOf(data, place) / TOWN_RATIO);
    const isSmall = ({ place }: Suggestion) => populationOf(data, place) <= (largest ?? 0);
    return found.every(isSmall) ? towns : [];
  }

  /** Returns the first-level region of this name in the country that follows it, or whose English name begins so, or anywhere. */
  function regionOf({ name, within }: NameParts): AreaRecord | undefined {
    const whole = within.join(', ');
    const [begun, codes] = [fold(whole), countries.country(whole)?.codes ?? []];
    return countries.areas(name).find(({ codes: [code = ''], region }) => {
      const { name: country = '' } = data.countries[countryIndex(data, code)] ?? {};
      const isIn = codes.includes(code) || fold(country).startsWith(begun);
      return isIn && region !== undefined && data.division.includes(region);
    });
  }

  /** Returns the largest towns of the country or region that the text names, or to which it is similar. */
  function townsOfSimilar({ name, within }: NameParts, limit: number, area?: AreaRecord) {
    if (within.length === 0) return areas.townsOfSimilar(name, limit, area);
    const country = countries.country(within.join(', '));
    // "Adygeya, Respublika"
    if (!country) return areas.townsOf([...within, name].join(' '), limit, area);
    const isIn = !area || area.codes.some((code) => country.codes.includes(code));
    return isIn ? areas.townsOfSimilar(name, limit, country) : [];
  }

  /** Returns the places of the first names, each once, after the first half of the towns, and before the others. */
  function firstOf(items: Iterable<ScoredItem>, limit: number, towns: Suggestion[]): Suggestion[] {
    const before = towns.slice(0, Math.ceil(limit * SHARE_OF_TOWNS));
    const found = new Map(before.map(({ place, city }) => [place, city]));
    for (const { item } of items) {
      if (found.size === limit) break;
      const place = names.place(item);
      const city = found.has(place) ? undefined : unambiguousName(place);
      if (city !== undefined) found.set(place, city);
    }
    for (const { place, city } of towns) if (found.size < limit) found.set(place, city);
    return [...found].map(([place, city]) => ({ place, city }));
  }

  /** Returns the names that equal a text, of places in all of the regions and countries that the user has typed. */
  function namesIn({ name, within }: NameParts, area?: AreaRecord): ScoredItem[] {
    // "Iran, Islamic Republic of" is one country.
    const whole = within.join(', ');
    return equalTo(fold(name), area).filter(({ item }) => {
      const isIn = (part: string) => liesIn(names.place(item), part);
      return within.every(isIn) || isIn(whole);
    });
  }

  /** Returns whether a place lies in the area that a text names, or whose English name begins with the text. */
  function liesIn(place: number, text: string): boolean {
    const { code = '', name = '' } = countryOf(data, place) ?? {};
    const folded = fold(text);
    const isBegun = (area = '') => fold(area).startsWith(folded);
    if ([name, ...regionNamesOf(data, place)].some(isBegun)) return true;
    // Without the towns near a city of that name: users choose among suggestions of all regions.
    return areaFilter(text, { codes: [code] }, Infinity)?.(place) ?? false;
  }

  function* matches(text: string, area?: AreaRecord): Generator<ScoredItem> {
    const parts = partsOf(text);
    // "Springfield, Ill": the name is complete, and the user still types the region or country.
    if (parts.within.length > 0) yield* namesIn(parts, area);
    const folded = foldTyped(text);
    // Shown names are in Latin letters, so a text in another script begins none of them.
    if (ASCII.test(folded)) yield* byShownName(text, folded, area);
    else yield* beginningWith(folded, area);
    // The data may have a name without the Arabic article: الخرطوم.
    if (fold(text) !== folded) yield* equalTo(fold(text), area);
  }

  /** Yields the first names in the order of `shownFirst`, one of each place, and then the others. */
  function* byShownName(text: string, folded: string, area?: AreaRecord): Generator<ScoredItem> {
    const fitOf = createShownFit(text);
    const { exactTo } = names.range(folded);
    const candidates = beginningWith(folded, area);
    const rated = new Map<number, RatedName>();
    for (let left = MAX_COMPARED; left > 0; left--) {
      const next = candidates.next();
      if (next.done) break;
      const { item, score } = next.value;
      const place = names.place(item);
      if (rated.has(place)) continue;
      const { factor, isShown, isBeginning } = fitOf(displayName(data, place));
      rated.set(place, {
        item,
        score: score * factor,
        isShownCity: isBeginning && populationOf(data, place) >= CITY_POPULATION,
        isDoubtful: !isShown && item >= exactTo,
      });
    }
    yield* shownFirst([...rated.values()]);
    yield* candidates;
  }
}

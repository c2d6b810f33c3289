import { ASCII } from '../../text/typography.js';
import { fold } from '../names/fold.js';
import type { Countries } from '../names/countries.js';
import { countryOf, displayName, populationOf, regionNamesOf } from '../data/place-record.js';
import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import type { AreaFilter } from '../find/area-filter.js';
import type { NameList } from '../data/name-list.js';
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
/** Number of words at the end of a text without a comma that are tried as a region or country. */
const MAX_AREA_WORDS = 3;
/** The share of the suggestions that are towns of the country that the text names. */
const SHARE_OF_TOWNS = 1 / 2;

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
    const first = area ? [] : townsOfCountry(text, limit);
    for (const items of [matches(text, area), withoutComma(text, area)]) {
      const found = firstOf(items, limit, first);
      if (found.length > 0) return found;
    }
    return text.includes(',') ? [] : areas.townsOfSimilar(text, limit, area);
  };

  /** Returns the largest towns of the country that the text names, if it names no city: India, but not Granada (Grenada). */
  function townsOfCountry(text: string, limit: number): Suggestion[] {
    // "per" is a code, and the beginning of Perth.
    if (CODE.test(text) || !countries.country(text)) return [];
    const folded = fold(text);
    const isCity = equalTo(folded).some(({ item }) => {
      const place = names.place(item);
      const isShown = fold(displayName(data, place)) === folded;
      return isShown && populationOf(data, place) >= CITY_POPULATION;
    });
    return isCity ? [] : areas.townsOf(text, Math.ceil(limit * SHARE_OF_TOWNS));
  }

  /** Returns the suggestions to begin with, and the places of the first names, each once. */
  function firstOf(items: Iterable<ScoredItem>, limit: number, first: Suggestion[]): Suggestion[] {
    const found = new Map(first.map(({ place, city }) => [place, city]));
    for (const { item } of items) {
      if (found.size === limit) break;
      const place = names.place(item);
      const city = found.has(place) ? undefined : unambiguousName(place);
      if (city !== undefined) found.set(place, city);
    }
    return [...found].map(([place, city]) => ({ place, city }));
  }

  /** Yields complete names before a region or country: "New York USA". */
  function* withoutComma(text: string, area?: AreaRecord): Generator<ScoredItem> {
    const words = text.includes(',') ? [] : text.trim().split(' ');
    for (let count = 1; count <= MAX_AREA_WORDS && count < words.length; count++) {
      yield* namesIn(words.slice(0, -count).join(' '), [words.slice(-count).join(' ')], area);
    }
  }

  /** Returns the names that equal a text, of places in all of the regions and countries that the user has typed. */
  function namesIn(name: string, within: string[], area?: AreaRecord): ScoredItem[] {
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

  function* matches(text: string, area: AreaRecord | undefined): Generator<ScoredItem> {
    const [name = '', ...within] = text.split(',').map((part) => part.trim());
    if (within.length > 0) {
      // "Springfield, Ill": the name is complete, and the user still types the region or country.
      yield* namesIn(name, within, area);
    }
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

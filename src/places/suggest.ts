import { fold } from './fold.js';
import { lowerBound } from './binary-search.js';
import { bestFirst, openSegmentTree, type WeightedRange } from './segment-tree.js';
import type { UnambiguousName } from './unambiguous-name.js';
import type { Countries } from './countries.js';
import type { AreaRecord, GazetteerData } from './gazetteer-file.js';
import { inRegion, TERRITORY_FACTOR } from './exact-match.js';
import type { LiesIn } from './lies-in.js';
import type { NameList } from './name-list.js';
import { displayName } from './display-name.js';
import { countryIndexOf, countryNameRange } from './place-record.js';
import { foldTyped } from './typed-names.js';
import { createNameScore, exactMatchFactor } from './name-score.js';

/** A suggested place, and the name by which a lookup finds it. */
export interface Suggestion {
  place: number;
  city: string;
}

/** Returns places whose name begins with a text, the most likely first; undefined for an unknown country. */
export type Suggest = (text: string, limit: number, country?: string) => Suggestion[] | undefined;

/** If the text ends with a space, names with a word break there come first, among this many of the most likely names. */
const WORD_CANDIDATES = 60;
const WORD_BREAK = /[ -]+/;

/** Creates the search for names by their beginning, in descending order of score. */
export function createSuggest(
  data: GazetteerData,
  names: NameList,
  countries: Countries,
  liesIn: LiesIn,
  unambiguousName: UnambiguousName,
): Suggest {
  const { countryNames } = data;
  const scoreOf = createNameScore(names, data.popularity);
  const everywhere = openSegmentTree(data.listTree, scoreOf);
  const byCountry = openSegmentTree(data.countryNameTree, (item) =>
    scoreOf(countryNames[item] ?? 0),
  );

  return (text, limit, country) => {
    const area = country === undefined ? undefined : countries.resolve(country);
    if (country !== undefined && !area) return undefined;
    const found = new Map<number, string>();
    for (const name of matches(text, area)) {
      const place = names.place(name);
      const city = found.has(place) ? undefined : unambiguousName(place);
      if (city !== undefined) found.set(place, city);
      if (found.size === limit) break;
    }
    return [...found].map(([place, city]) => ({ place, city }));
  };

  function* matches(text: string, area: AreaRecord | undefined): Generator<number> {
    const [name = '', ...within] = text.split(',').map((part) => part.trim());
    if (within.length > 0) {
      // "Springfield, Ill": the name is complete, and the user still types the region or country.
      const { from, exactTo } = names.range(fold(name));
      yield* sorted(from, exactTo, area).filter((each) =>
        within.every((part) => liesIn(names.place(each), part)),
      );
    }
    const folded = foldTyped(text);
    if (/\s$/.test(text)) yield* wordFirst(beginningWith(folded, area), text);
    else yield* likeliest(folded, area);
    // The data may have a name without the Arabic article: الخرطوم.
    if (fold(text) !== folded) yield* wholeNames(fold(text), area);
  }

  /** Yields names by score. Names that equal the text have a higher score than longer names. */
  function* likeliest(folded: string, area: AreaRecord | undefined): Generator<number> {
    const whole = wholeNames(folded, area);
    for (const name of beginningWith(folded, area)) {
      const least = scoreOf(name);
      for (;;) {
        const [best] = whole;
        if (best === undefined || exactScore(best) < least) break;
        yield best;
        whole.shift();
      }
      yield name;
    }
  }

  function* beginningWith(folded: string, area: AreaRecord | undefined): Generator<number> {
    if (folded === '') return;
    const { from, to } = names.range(folded);
    // A region has too few of its country's names to find them among the best names of the country.
    if (area?.region !== undefined) yield* sorted(from, to, area);
    else if (area) yield* ofCountries(from, to, area.codes);
    else yield* bestFirst([{ tree: everywhere, from, to, divisor: 1 }]);
  }

  /** Returns the names that equal the text, in descending order of score. */
  function wholeNames(folded: string, area: AreaRecord | undefined): number[] {
    const { from, exactTo } = names.range(folded);
    return sorted(from, exactTo, area).sort((a, b) => exactScore(b) - exactScore(a));
  }

  function exactScore(name: number): number {
    return scoreOf(name) * exactMatchFactor(names.kind(name));
  }

  /** Yields places first whose display name begins with the words of the text: "san " does not mean Santiago. */
  function* wordFirst(candidates: Generator<number>, text: string): Generator<number> {
    const words = fold(text);
    const count = text.trim().split(WORD_BREAK).length;
    const others: number[] = [];
    let looked = 0;
    for (const name of candidates) {
      const shown = displayName(data, names.place(name)).split(WORD_BREAK, count).join(' ');
      if (++looked > WORD_CANDIDATES) yield* [...others.splice(0), name];
      else if (fold(shown) === words) yield name;
      else others.push(name);
    }
    yield* others;
  }

  /** Returns all names from `from` to before `to` in an area, in descending order of score. */
  function sorted(from: number, to: number, area: AreaRecord | undefined): number[] {
    const [home, ...territories] = (area?.codes ?? []).map(numberOf);
    const scores = new Map<number, number>();
    for (let name = from; name < to; name++) {
      const place = names.place(name);
      const country = countryIndexOf(data, place);
      if (area?.region !== undefined && !inRegion(data, place, area.region)) continue;
      if (!area || country === home) scores.set(name, scoreOf(name));
      else if (territories.includes(country)) scores.set(name, scoreOf(name) / TERRITORY_FACTOR);
    }
    return [...scores].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  }

  /** Like `sorted`, for whole countries, without reading all names. */
  function* ofCountries(from: number, to: number, codes: string[]): Generator<number> {
    const ranges = codes.map(numberOf).map((country, i): WeightedRange => {
      const [first, end] = countryNameRange(data, country);
      return {
        tree: byCountry,
        from: lowerBound(countryNames, from, first, end),
        to: lowerBound(countryNames, to, first, end),
        divisor: i === 0 ? 1 : TERRITORY_FACTOR,
      };
    });
    for (const item of bestFirst(ranges)) yield countryNames[item] ?? 0;
  }

  function numberOf(code: string): number {
    return data.countries.findIndex((record) => record.code === code);
  }
}

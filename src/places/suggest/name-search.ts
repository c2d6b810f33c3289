import { lowerBound } from '../data/binary-search.js';
import { inRegion, TERRITORY_FACTOR } from '../find/exact-match.js';
import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import type { NameList } from '../data/name-list.js';
import { createNameScore, exactMatchFactor } from './name-score.js';
import { countryIndex, countryIndexOf, countryNameRange } from '../data/place-record.js';
import {
  bestFirst,
  openSegmentTree,
  type ScoredItem,
  type WeightedRange,
} from '../data/segment-tree.js';

/**
 * Creates the search in the list of all names by a folded text. Without an area, it searches in all countries. The items of
 * its results are names.
 */
export function createNameSearch(data: GazetteerData, names: NameList) {
  const { countryNames } = data;
  const scoreOf = createNameScore(names, data.popularity);
  const everywhere = openSegmentTree(data.listTree, scoreOf);
  const byCountry = openSegmentTree(data.countryNameTree, (item) =>
    scoreOf(countryNames[item] ?? 0),
  );

  return { beginningWith, equalTo };

  /** Yields the names that begin with the text, in descending order of score. Names that equal it have a higher score. */
  function* beginningWith(folded: string, area?: AreaRecord): Generator<ScoredItem> {
    if (folded === '') return;
    const whole = equalTo(folded, area);
    const { from, to } = names.range(folded);
    for (const next of longer(from, to, area)) {
      for (;;) {
        const [best] = whole;
        if (best === undefined || best.score < next.score) break;
        yield best;
        whole.shift();
      }
      yield next;
    }
  }

  /** Returns the names that equal the text, in descending order of score. */
  function equalTo(folded: string, area?: AreaRecord): ScoredItem[] {
    const { from, exactTo } = names.range(folded);
    return inArea(from, exactTo, area)
      .map(({ item, score }) => ({ item, score: score * exactMatchFactor(names.kind(item)) }))
      .sort((a, b) => b.score - a.score);
  }

  function* longer(from: number, to: number, area?: AreaRecord): Generator<ScoredItem> {
    // A region has too few of its country's names to find them among the best names of the country.
    if (area?.region !== undefined) yield* inArea(from, to, area);
    else if (area) yield* inCountries(from, to, area.codes);
    else yield* bestFirst([{ tree: everywhere, from, to, divisor: 1 }]);
  }

  /** Returns all names from `from` to before `to` in an area, in descending order of score. */
  function inArea(from: number, to: number, area?: AreaRecord): ScoredItem[] {
    const [home, ...territories] = (area?.codes ?? []).map((code) => countryIndex(data, code));
    const scored: ScoredItem[] = [];
    for (let item = from; item < to; item++) {
      const place = names.place(item);
      const country = countryIndexOf(data, place);
      if (area?.region !== undefined && !inRegion(data, place, area.region)) continue;
      if (!area || country === home) scored.push({ item, score: scoreOf(item) });
      else if (territories.includes(country)) {
        scored.push({ item, score: scoreOf(item) / TERRITORY_FACTOR });
      }
    }
    return scored.sort((a, b) => b.score - a.score);
  }

  /** Like `inArea`, for whole countries, without reading all names. */
  function* inCountries(from: number, to: number, codes: string[]): Generator<ScoredItem> {
    const ranges = codes.map((code, i): WeightedRange => {
      const [first, end] = countryNameRange(data, countryIndex(data, code));
      return {
        tree: byCountry,
        from: lowerBound(countryNames, from, first, end),
        to: lowerBound(countryNames, to, first, end),
        divisor: i === 0 ? 1 : TERRITORY_FACTOR,
      };
    });
    for (const { item, score } of bestFirst(ranges)) yield { item: countryNames[item] ?? 0, score };
  }
}

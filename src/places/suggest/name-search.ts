import type { AreaRecord } from '../data/gazetteer-file.js';
import { countryIndex, countryNames, inRegion } from '../data/place-record.js';
import { lowerBound } from '../data/binary-search.js';
import { TERRITORY_FACTOR } from '../find/exact-match.js';
import { NameKind, type NameRange } from '../data/name-list.js';
import type { PlaceData } from '../place-data.js';

/**
 * Weight of a name by its kind. README.md has the same table. "vene" is Venice before Venëv, and "queen" does not suggest
 * Cincinnati, which has it as a nickname.
 */
const WEIGHTS: Record<NameKind, number> = {
  [NameKind.main]: 64,
  [NameKind.part]: 32,
  [NameKind.other]: 3,
  [NameKind.code]: 1 / 256,
  [NameKind.rare]: 1 / 16,
};
/** Factor on the score of a name that equals the typed text, by its kind. */
export const EXACT_MATCH_FACTORS: Record<NameKind, number> = {
  [NameKind.main]: 16,
  [NameKind.part]: 32,
  [NameKind.other]: 11,
  [NameKind.code]: 1,
  [NameKind.rare]: 24,
};

/** Returns the score of a name of the list: how likely a user means its place by it. */
export function nameScore(
  { nameList, popularity }: Pick<PlaceData, 'nameList' | 'popularity'>,
  name: number,
): number {
  return (popularity[nameList.place(name)] ?? 0) * WEIGHTS[nameList.kind(name)];
}

/** A name, as its index in the name list, with the score of its place for a text. */
export interface ScoredName {
  name: number;
  score: number;
}

/** Maximum number of names that begin with a text. More than are needed for ten suggestions. */
const MAX_FOUND = 300;

/** Returns the first names that begin with a folded text, the highest score first. Names that equal it score higher. */
export function namesBeginningWith(
  data: PlaceData,
  folded: string,
  area?: AreaRecord,
): ScoredName[] {
  return folded === '' ? [] : bestNames(data, data.nameList.range(folded), area, MAX_FOUND);
}

/** Returns the names that equal a folded text, the highest score first. */
export function namesEqualTo(data: PlaceData, folded: string, area?: AreaRecord): ScoredName[] {
  const range = data.nameList.range(folded);
  return bestNames(data, { ...range, to: range.exactTo }, area, Infinity);
}

function bestNames(
  data: PlaceData,
  range: NameRange,
  area: AreaRecord | undefined,
  limit: number,
): ScoredName[] {
  const { nameList } = data;
  let best: ScoredName[] = [];
  let least = -1;
  const rate = (name: number, divisor: number): void => {
    const factor = name < range.exactTo ? EXACT_MATCH_FACTORS[nameList.kind(name)] : 1;
    const score = (factor * nameScore(data, name)) / divisor;
    if (score <= least) return;
    if (!inRegion(data, nameList.place(name), area?.region)) return;
    best.push({ name, score });
    // Sorting twice the names now and then takes less time than keeping them sorted.
    if (best.length < 2 * limit) return;
    best = best.sort(byScore).slice(0, limit);
    least = best.at(-1)?.score ?? 0;
  };
  if (!area) for (let name = range.from; name < range.to; name++) rate(name, 1);
  for (const [i, code] of (area?.codes ?? []).entries()) {
    const names = countryNames(data, countryIndex(data, code));
    const end = lowerBound(names, range.to);
    for (let at = lowerBound(names, range.from); at < end; at++) {
      rate(names[at] ?? 0, i > 0 ? TERRITORY_FACTOR : 1);
    }
  }
  return best.sort(byScore).slice(0, limit);
}

function byScore(a: ScoredName, b: ScoredName): number {
  return b.score - a.score;
}

import type { AreaRecord } from '../data/gazetteer-file.js';
import { countryIndex, countryNamesBetween } from '../data/place-record.js';
import { inRegion, TERRITORY_FACTOR } from '../find/exact-match.js';
import type { NameRange } from '../data/name-list.js';
import type { PlaceData } from '../place-data.js';
import { exactMatchFactor, nameScore } from './name-score.js';

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
    const factor = name < range.exactTo ? exactMatchFactor(nameList.kind(name)) : 1;
    const score = (factor * nameScore(data, name)) / divisor;
    if (score <= least) return;
    if (area?.region !== undefined && !inRegion(data, nameList.place(name), area.region)) return;
    best.push({ name, score });
    // Sorting twice the names now and then takes less time than keeping them sorted.
    if (best.length < 2 * limit) return;
    best = best.sort(byScore).slice(0, limit);
    least = best.at(-1)?.score ?? 0;
  };
  if (!area) for (let name = range.from; name < range.to; name++) rate(name, 1);
  for (const [i, code] of (area?.codes ?? []).entries()) {
    const names = countryNamesBetween(data, countryIndex(data, code), range);
    for (const name of names) rate(name, i > 0 ? TERRITORY_FACTOR : 1);
  }
  return best.sort(byScore).slice(0, limit);
}

function byScore(a: ScoredName, b: ScoredName): number {
  return b.score - a.score;
}

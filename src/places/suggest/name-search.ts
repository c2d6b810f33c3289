import { ASCII } from '../../text/typography.js';
import { lowerBound } from '../data/binary-search.js';
import type { AreaRecord } from '../data/gazetteer-file.js';
import { NameKind, type NameRange } from '../data/name-list.js';
import { countryIndex, countryNames, displayName, inRegion } from '../data/place-record.js';
import { TERRITORY_FACTOR } from '../find/exact-match.js';
import { fold, foldTyped } from '../names/fold.js';
import type { PlaceData } from '../place-data.js';
import { createShownFit } from './shown-fit.js';

/**
 * Weight of a name by its kind. "vene" is Venice before Venëv, and "queen" does not suggest
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
const EXACT_MATCH_FACTORS: Record<NameKind, number> = {
  [NameKind.main]: 16,
  [NameKind.part]: 32,
  [NameKind.other]: 11,
  [NameKind.code]: 1,
  [NameKind.rare]: 96,
};
/** Maximum number of names that are read: more than are needed for ten suggestions. */
const MAX_NAMES = 300;
/** Maximum number of places. With fewer than 40, `npm run quality:places` finds worse results. */
const MAX_PLACES = 60;
/**
 * A place is left out if its shown name does not begin with the text, and its score is a lower
 * fraction of the best: "san fr" does not suggest Albuquerque, once San Francisco de Albuquerque.
 */
export const MIN_SCORE_SHARE = 1 / 1000;

/** A place with its score for a text: how likely a user means it. */
export interface Scored {
  place: number;
  score: number;
  /** Whether a name of the place, and not only a code, equals the text. */
  isExact?: boolean;
}

/** Returns the score of a name of the list that a user types completely or in part. */
export function nameScore(
  { nameList, popularity }: PlaceData,
  name: number,
  isComplete = false,
): number {
  const kind = nameList.kind(name);
  const factor = WEIGHTS[kind] * (isComplete ? EXACT_MATCH_FACTORS[kind] : 1);
  return (popularity[nameList.place(name)] ?? 0) * factor;
}

/** Returns the places of which a name begins with a text, the highest score first. */
export function placesBegunBy(data: PlaceData, text: string, area?: AreaRecord): Scored[] {
  const folded = foldTyped(text);
  if (folded === '') return [];
  const range = data.nameList.range(folded);
  const begun = bestPlaces(data, range, area).slice(0, MAX_PLACES);
  // Shown names are in Latin letters, so a text in another script begins none of them.
  const fitOf = ASCII.test(folded) ? createShownFit(text) : () => ({ factor: 1, isShown: true });
  const rated = begun.map((each) => {
    const { factor, isShown } = fitOf(displayName(data, each.place));
    return { ...each, score: each.score * factor, isSure: isShown || each.isExact === true };
  });
  const least = MIN_SCORE_SHARE * Math.max(...rated.map(({ score }) => score));
  const likely = rated.filter(({ isSure, score }) => isSure || score >= least);
  // The data may have a name without the Arabic article: الخرطوم.
  const equal = fold(text) === folded ? [] : placesNamed(data, fold(text), area);
  return [...likely, ...equal].sort(byScore);
}

/** Returns the places of which a name equals a folded text, the highest score first. */
export function placesNamed(data: PlaceData, folded: string, area?: AreaRecord): Scored[] {
  const range = data.nameList.range(folded);
  return bestPlaces(data, { ...range, to: range.exactTo }, area);
}

/** Returns the places of the best names in a range, each with its best name. */
function bestPlaces(data: PlaceData, range: NameRange, area?: AreaRecord): Scored[] {
  const { nameList } = data;
  let best: Scored[] = [];
  let least = -1;
  const isHigher = ({ score }: Scored): boolean => score > least;
  const rate = (name: number, divisor: number): void => {
    const score = nameScore(data, name, name < range.exactTo) / divisor;
    const place = nameList.place(name);
    if (score <= least || !inRegion(data, place, area?.region)) return;
    best.push({
      place,
      score,
      isExact: name < range.exactTo && nameList.kind(name) !== NameKind.code,
    });
    if (best.length < 2 * MAX_NAMES) return;
    // Sorting twice the names now and then takes less time than keeping them sorted, and sorting
    // numbers less than sorting objects.
    least = new Float64Array(best.map((each) => each.score)).sort().at(-MAX_NAMES) ?? 0;
    const [higher, equal] = [best.filter(isHigher), best.filter(({ score }) => score === least)];
    best = [...higher, ...equal].slice(0, MAX_NAMES);
  };
  if (!area) for (let name = range.from; name < range.to; name++) rate(name, 1);
  for (const [i, code] of (area?.codes ?? []).entries()) {
    const names = countryNames(data, countryIndex(data, code));
    const end = lowerBound(names, range.to);
    for (let at = lowerBound(names, range.from); at < end; at++) {
      rate(names[at] ?? 0, i > 0 ? TERRITORY_FACTOR : 1);
    }
  }
  const places = new Set<number>();
  return best.sort(byScore).filter(({ place }) => !places.has(place) && places.add(place));
}

/** Sorts the highest score first. */
export function byScore(a: Scored, b: Scored): number {
  return b.score - a.score;
}

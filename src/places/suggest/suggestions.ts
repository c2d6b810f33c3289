import type { AreaRecord } from '../data/gazetteer-file.js';
import { displayName, inRegion, placesIn } from '../data/place-record.js';
import { areasNamed } from '../names/countries.js';
import { fold } from '../names/fold.js';
import { unambiguousName } from '../names/unambiguous-name.js';
import type { PlaceData } from '../place-data.js';
import { allowedEdits } from '../similar/similar-names.js';
import { nameScore } from './name-search.js';

/** A place that is suggested, and the name by which a lookup finds it. */
export interface Suggestion {
  place: number;
  city: string;
}

const LIMIT = 3;
/** Shorter names are within one edit of too many other names. */
const MIN_LENGTH = 3;
/** Each edit divides the score of a name by this. */
const EDIT_PENALTY = 64;
/** A name is left out if its score is a lower fraction of the best score: Börfink is not suggested for "Berlinn". */
const MIN_SCORE_SHARE = 1 / 1000;

/**
 * Returns up to three places of the area, the most likely first: if the text names a region or country, also with
 * spelling errors, its largest towns, otherwise places with names that are similar to the text.
 */
export function didYouMean(data: PlaceData, name: string, area: AreaRecord): Suggestion[] {
  const towns = townsIn(data, areasNamed(data, name), LIMIT, area);
  if (towns.length > 0) return towns;
  const similar = suggestionsOf(data, similarPlaces(data, name, area), LIMIT);
  if (similar.length > 0) return similar;
  const areas = data.similarAreas(name).map((each) => each.area);
  return townsIn(data, areas, LIMIT, area);
}

/** Returns the places of an area with names that are similar to a text, the most likely first. */
function similarPlaces(data: PlaceData, name: string, { codes, region }: AreaRecord): number[] {
  const folded = fold(name);
  if (folded.length < MIN_LENGTH) return [];
  const scored = data
    .similarNames(folded, codes, allowedEdits(folded.length))
    .map(({ name, edits }) => ({
      place: data.nameList.place(name),
      score: (nameScore(data, name) + 1) / EDIT_PENALTY ** edits,
    }))
    .filter(({ place }) => inRegion(data, place, region))
    .sort((a, b) => b.score - a.score);
  const minScore = MIN_SCORE_SHARE * (scored[0]?.score ?? 0);
  // Each shown name once: "Carrollton, Texas".
  const shown = new Map<string, number>();
  for (const { place, score } of scored) {
    const key = fold(displayName(data, place));
    if (score >= minScore && !shown.has(key)) shown.set(key, place);
  }
  return [...shown.values()];
}

/** Returns the first places that a lookup finds by a name, each once, with this name. */
export function suggestionsOf(
  data: PlaceData,
  places: Iterable<number>,
  limit: number,
): Suggestion[] {
  const cities = new Map<number, string>();
  for (const place of places) {
    if (cities.size === limit) break;
    const city = cities.has(place) ? undefined : unambiguousName(data, place);
    if (city !== undefined) cities.set(place, city);
  }
  return [...cities].map(([place, city]) => ({ place, city }));
}

/** Returns the largest towns of the first area that has any. @param within the area that must contain it */
export function townsIn(
  data: PlaceData,
  areas: Iterable<AreaRecord>,
  limit: number,
  within?: AreaRecord,
): Suggestion[] {
  for (const area of areas) {
    if (within && !within.codes.includes(area.codes[0] ?? '')) continue;
    const found = suggestionsOf(data, placesIn(data, area), limit);
    if (found.length > 0) return found;
  }
  return [];
}

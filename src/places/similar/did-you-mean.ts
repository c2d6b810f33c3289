import { cleanName } from '../../text/place-names.js';
import type { AreaRecord } from '../data/gazetteer-file.js';
import { displayName, inRegion } from '../data/place-record.js';
import { areasNamed } from '../names/countries.js';
import { fold } from '../names/fold.js';
import type { PlaceData } from '../place-data.js';
import { nameScore } from '../suggest/name-search.js';
import { allowedEdits } from './similar-names.js';
import { townsIn, townsOfSimilar } from './towns.js';

const LIMIT = 3;
/** Shorter names are within one edit of too many other names. */
const MIN_LENGTH = 3;
/** Each edit divides the score of a name by this. */
const EDIT_PENALTY = 64;
/** A name is left out if its score is a lower fraction of the best score: Börfink is not suggested for "Berlinn". */
const MIN_SCORE_SHARE = 1 / 1000;

/**
 * Returns up to three city names of the area, the most likely first: if the text names a region or country, also with
 * spelling errors, its largest towns, otherwise names that are similar to the text.
 */
export function didYouMean(data: PlaceData, name: string, area: AreaRecord): string[] {
  const towns = townsIn(data, areasNamed(data, name), LIMIT, area).map(({ city }) => city);
  if (towns.length > 0) return towns;
  const cities = similarCities(data, name, area);
  if (cities.length > 0) return cities;
  return townsOfSimilar(data, name, LIMIT, area).map(({ city }) => city);
}

function similarCities(data: PlaceData, name: string, { codes, region }: AreaRecord): string[] {
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
  const shown = new Map<string, string>();
  const minScore = MIN_SCORE_SHARE * (scored[0]?.score ?? 0);
  for (const { place, score } of scored) {
    if (score < minScore || shown.size === LIMIT) break;
    const text = displayName(data, place);
    const key = fold(text);
    // Lookups do not accept names with digits.
    if (!shown.has(key) && cleanName(text).ok) shown.set(key, text);
  }
  return [...shown.values()];
}

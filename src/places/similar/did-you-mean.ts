import { fold } from '../names/fold.js';
import { cleanName } from '../../text/place-names.js';
import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { inRegion } from '../find/exact-match.js';
import type { NameList } from '../data/name-list.js';
import { countryIndex, displayName } from '../data/place-record.js';
import type { SimilarAreas } from './similar-areas.js';
import { allowedEdits, MAX_LENGTH, type SimilarNames } from './similar-names.js';
import { createNameScore } from '../suggest/name-score.js';

/**
 * Returns up to three city names of the area, the most likely first: if the text names a region or country, also with
 * spelling errors, its largest towns, otherwise names that are similar to the text.
 */
export type DidYouMean = (name: string, area: AreaRecord) => string[];

const LIMIT = 3;
/** Shorter names are within one edit of too many other names. */
const MIN_LENGTH = 3;
/** Each edit divides the score of a name by this. */
const EDIT_PENALTY = 64;
/** A name is left out if its score is a lower fraction of the best score: Börfink is not suggested for "Berlinn". */
const MIN_SCORE_SHARE = 1 / 1000;

interface SimilarName {
  place: number;
  score: number;
}

/**
 * Creates the search for similar names by edit distance among all names of the area's places. It allows one edit in a
 * name of up to five letters, two in one of up to nine letters, and three in longer names.
 */
export function createDidYouMean(
  data: GazetteerData,
  names: NameList,
  similar: SimilarNames,
  areas: SimilarAreas,
): DidYouMean {
  const scoreOf = createNameScore(names, data.popularity);

  return (name, area) => {
    const towns = areas.townsOf(name, LIMIT, area).map(({ city }) => city);
    if (towns.length > 0) return towns;
    const cities = similarCities(name, area);
    if (cities.length > 0) return cities;
    return areas.townsOfSimilar(name, LIMIT, area).map(({ city }) => city);
  };

  function similarCities(name: string, area: AreaRecord): string[] {
    const folded = fold(name);
    if (folded.length < MIN_LENGTH || folded.length > MAX_LENGTH) return [];
    const allowed = allowedEdits(folded.length);
    const found: SimilarName[] = [];
    for (const code of area.codes) {
      for (const { name, edits } of similar(folded, countryIndex(data, code), allowed)) {
        const place = names.place(name);
        if (area.region !== undefined && !inRegion(data, place, area.region)) continue;
        found.push({ place, score: (scoreOf(name) + 1) / EDIT_PENALTY ** edits });
      }
    }
    found.sort((a, b) => b.score - a.score);
    const shown = new Map<string, string>();
    const least = MIN_SCORE_SHARE * (found[0]?.score ?? 0);
    for (const { place, score } of found) {
      if (score < least) break;
      const text = displayName(data, place);
      const key = fold(text);
      // Lookups do not accept names with digits.
      if (!shown.has(key) && cleanName(text).ok) shown.set(key, text);
      if (shown.size === LIMIT) break;
    }
    return [...shown.values()];
  }
}

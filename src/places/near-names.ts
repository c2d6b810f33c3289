import { fold } from './fold.js';
import { cleanName } from '../place-names.js';
import type { AreaRecord, GazetteerData } from './gazetteer-file.js';
import { inRegion } from './in-area.js';
import type { NameList } from './name-list.js';
import { nameOf } from './name-of.js';
import { MAX_LENGTH, type SimilarNames } from './similar-names.js';
import { createWorth } from './worth.js';

/** Gives up to three city names of the area that are similar to the name, likeliest first. */
export type NearNames = (name: string, area: AreaRecord) => string[];

const LIMIT = 3;
/** Shorter names are one edit away from too many others. */
const MIN_LENGTH = 3;
/** A name with one more edit must be worth so many times more. */
const EDIT = 64;
/** What is so much less likely than the likeliest is no help: who writes Berlinn does not mean Börfink. */
const LEAST_SHARE = 1 / 1000;

interface Found {
  place: number;
  score: number;
}

/**
 * Similar names by edit distance, among all names of the area's places. Names of up to five letters may differ by one
 * edit, of up to nine by two, longer ones by three.
 */
export function createNearNames(
  data: GazetteerData,
  names: NameList,
  similar: SimilarNames,
): NearNames {
  const worth = createWorth(names, data.standing);

  return (name, area) => {
    const folded = fold(name);
    if (folded.length < MIN_LENGTH || folded.length > MAX_LENGTH) return [];
    const allowed = folded.length < 6 ? 1 : folded.length < 10 ? 2 : 3;
    const found: Found[] = [];
    for (const code of area.codes) {
      const country = data.countries.findIndex((record) => record.code === code);
      for (const { name, edits } of similar(folded, country, allowed)) {
        const place = names.place(name);
        if (area.region !== undefined && !inRegion(data, place, area.region)) continue;
        found.push({ place, score: (worth(name) + 1) / EDIT ** edits });
      }
    }
    found.sort((a, b) => b.score - a.score);
    const shown = new Map<string, string>();
    const least = LEAST_SHARE * (found[0]?.score ?? 0);
    for (const { place, score } of found) {
      if (score < least) break;
      const text = nameOf(data, place);
      const key = fold(text);
      // It may hold a digit, which no lookup accepts.
      if (!shown.has(key) && cleanName(text).ok) shown.set(key, text);
      if (shown.size === LIMIT) break;
    }
    return [...shown.values()];
  };
}

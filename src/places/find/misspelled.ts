import { fold } from '../names/fold.js';
import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { NameKind, type NameList } from '../data/name-list.js';
import { countryIndex, displayName, populationOf, TOWN_POPULATION } from '../data/place-record.js';
import { MAX_LENGTH, type SimilarNames } from '../similar/similar-names.js';

const WORD_BREAK = /[ -]+/;

export type IsMisspelled = ReturnType<typeof createIsMisspelled>;

/**
 * Returns whether a text that is not a name, but matched `place` by a variant, is more likely the
 * misspelled main name of another place: "Diamond ar" is Diamond Bar, and not the Diamond in
 * Arkansas (AR). The other place must be a town, or at least as large as `place`.
 */
export function createIsMisspelled(data: GazetteerData, names: NameList, similar: SimilarNames) {
  return (text: string, place: number, area: AreaRecord): boolean => {
    const folded = fold(text);
    if (folded.length > MAX_LENGTH) return false;
    const least = Math.min(TOWN_POPULATION, populationOf(data, place));
    return area.codes.some((code) =>
      similar(folded, countryIndex(data, code), 1).some(({ name }) => {
        const other = names.place(name);
        return (
          other !== place &&
          populationOf(data, other) >= least &&
          names.kind(name) === NameKind.main &&
          // "Boston MA" does not mean Bostonia.
          displayName(data, other).split(WORD_BREAK).length === text.split(WORD_BREAK).length
        );
      }),
    );
  };
}

/** Returns whether a folded name of a place is only a code, such as the airport DAY of Dayton (`NameKind.code`). */
export function isCode(names: NameList, folded: string, place: number): boolean {
  const { from, exactTo } = names.range(folded);
  for (let name = from; name < exactTo; name++) {
    if (names.place(name) === place) return names.kind(name) === NameKind.code;
  }
  return false;
}

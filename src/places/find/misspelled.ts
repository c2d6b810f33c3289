import { NameKind } from '../data/name-list.js';
import type { AreaRecord } from '../data/gazetteer-file.js';
import { displayName, populationOf, TOWN_POPULATION } from '../data/place-record.js';
import { fold } from '../names/fold.js';
import type { PlaceData } from '../place-data.js';

const WORD_BREAK = /[ -]+/;

/**
 * Returns whether a text that is not a name, but matched `place` by a variant, is more likely the
 * misspelled main name of another place: "Diamond ar" is Diamond Bar, and not the Diamond in
 * Arkansas (AR). The other place must be a town, or at least as large as `place`.
 */
export function isMisspelled(
  data: PlaceData,
  text: string,
  place: number,
  area: AreaRecord,
): boolean {
  const { nameList, similarNames } = data;
  const least = Math.min(TOWN_POPULATION, populationOf(data, place));
  return similarNames(fold(text), area.codes, 1).some(({ name }) => {
    const other = nameList.place(name);
    return (
      other !== place &&
      populationOf(data, other) >= least &&
      nameList.kind(name) === NameKind.main &&
      // "Boston MA" does not mean Bostonia.
      displayName(data, other).split(WORD_BREAK).length === text.split(WORD_BREAK).length
    );
  });
}

/** Returns whether a folded name of a place is only a code, such as the airport DAY of Dayton (`NameKind.code`). */
export function isCode({ nameList }: PlaceData, folded: string, place: number): boolean {
  const { from, exactTo } = nameList.range(folded);
  for (let name = from; name < exactTo; name++) {
    if (nameList.place(name) === place) return nameList.kind(name) === NameKind.code;
  }
  return false;
}

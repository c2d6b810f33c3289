import { fold } from './fold.js';
import type { AreaRecord, GazetteerData } from './gazetteer-file.js';
import { NameKind, type NameList } from './name-list.js';
import { nameOf } from './name-of.js';
import { MAX_LENGTH, type SimilarNames } from './similar-names.js';

/** A place with so many people is one whose name is often misspelt; or one as large as the place that was found. */
const TOWN_PEOPLE = 15_000;
const WORD_BREAK = /[ -]+/;

/**
 * Whether a text that nothing is called is rather the main name of another place, misspelt, than what leads to the
 * place: "Diamond ar" is Diamond Bar, and not the Diamond in Arkansas (AR).
 */
export type IsMisspelt = (text: string, place: number, area: AreaRecord) => boolean;

export function createIsMisspelt(
  data: GazetteerData,
  names: NameList,
  similar: SimilarNames,
): IsMisspelt {
  return (text, place, area) => {
    const folded = fold(text);
    if (folded.length > MAX_LENGTH) return false;
    const least = Math.min(TOWN_PEOPLE, data.population[place] ?? 0);
    return area.codes.some((code) => {
      const country = data.countries.findIndex((record) => record.code === code);
      return similar(folded, country, 1).some(({ name }) => {
        const other = names.place(name);
        return (
          other !== place &&
          (data.population[other] ?? 0) >= least &&
          names.kind(name) === NameKind.main &&
          // "Boston MA" is no Bostonia.
          wordsOf(nameOf(data, other)) === wordsOf(text)
        );
      });
    });
  };
}

function wordsOf(text: string): number {
  return text.split(WORD_BREAK).length;
}

/** Whether a place has a folded name only as a code or by machine: DAY is the airport of Dayton. */
export type IsCode = (folded: string, place: number) => boolean;

export function createIsCode(names: NameList): IsCode {
  return (folded, place) => {
    const { from, exactTo } = names.range(folded);
    for (let name = from; name < exactTo; name++) {
      if (names.place(name) === place) return names.kind(name) === NameKind.remote;
    }
    return false;
  };
}

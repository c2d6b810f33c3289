import type { AreaFilter } from './area-filter.js';
import type { PlaceByName, PlaceFilter } from './exact-match.js';
import { fold } from '../names/fold.js';
import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import type { NameList } from '../data/name-list.js';
import { countryOf, populationOf } from '../data/place-record.js';
import type { NameWithRemark } from '../names/remark.js';

/**
 * Finds the place of a name with a remark that is not a part of the name. The remark is a region, a nearby city, another
 * name of the place, or a word of its full name: "Paris (Texas)", "Mumbai (Bombay)", "Marburg (Lahn)". Any other remark
 * does not matter if only one place has the name.
 */
export type WithRemark = ReturnType<typeof createWithRemark>;

/** Shorter remarks are in too many names by chance. */
const MIN_LENGTH = 3;
/** Maximum number of names that are read, because a short name has many. */
const MAX_NAMES = 300;

export function createWithRemark(
  data: GazetteerData,
  names: NameList,
  exactMatch: PlaceByName,
  areaFilter: AreaFilter,
) {
  const decoder = new TextDecoder();

  return (
    { bare, remark }: NameWithRemark,
    area: AreaRecord,
    within: PlaceFilter = () => true,
  ): number | undefined => {
    const folded = fold(bare);
    const isNear = areaFilter(remark, area);
    const near = isNear && exactMatch(folded, area, (place) => isNear(place) && within(place));
    const place = near ?? longer(folded, fold(remark), area, within);
    if (place !== undefined) return place;
    const only = exactMatch(folded, area, within);
    const isOther = (other: number): boolean => other !== only;
    return exactMatch(folded, area, isOther) === undefined ? only : undefined;
  };

  /** Returns the largest place with a name that begins with a text, and has the remark after it. */
  function longer(
    folded: string,
    remark: string,
    area: AreaRecord,
    within: PlaceFilter,
  ): number | undefined {
    if (folded.length < MIN_LENGTH || remark.length < MIN_LENGTH) return undefined;
    const { exactTo, to } = names.range(folded);
    let best: number | undefined;
    let left = MAX_NAMES;
    for (let name = exactTo; name < to && left > 0; name++) {
      const place = names.place(name);
      if (!area.codes.includes(countryOf(data, place)?.code ?? '') || !within(place)) continue;
      left--;
      const text = decoder.decode(names.bytes.subarray(0, names.read(name)));
      if (!text.includes(remark, folded.length)) continue;
      if (populationOf(data, place) >= populationOf(data, best ?? -1)) best = place;
    }
    return best;
  }
}

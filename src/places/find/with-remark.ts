import type { AreaRecord } from '../data/gazetteer-file.js';
import { countryOf, populationOf } from '../data/place-record.js';
import type { NameWithRemark } from '../names/countries.js';
import { fold } from '../names/fold.js';
import type { PlaceData } from '../place-data.js';
import { areaFilter } from '../read/within.js';
import { exactMatch, type PlaceFilter } from './exact-match.js';

/** Minimum length of a name and of its remark, folded. Shorter ones occur in too many names by chance. */
const MIN_LENGTH = 3;
/** Maximum number of names of the area that are read for a remark, because many names begin with a short one. */
const MAX_NAMES = 300;

const decoder = new TextDecoder();

/**
 * Finds the place of a name with a remark that is not a part of the name. The remark is a region, a nearby city, another
 * name of the place, or a word of its full name: "Paris (Texas)", "Mumbai (Bombay)", "Marburg (Lahn)". Any other remark
 * does not matter if only one place has the name.
 */
export function findWithRemark(
  data: PlaceData,
  { bare, remark }: NameWithRemark,
  area: AreaRecord,
  within: PlaceFilter,
): number | undefined {
  const folded = fold(bare);
  const isNear = areaFilter(data, remark, area);
  const near = isNear && exactMatch(data, folded, area, (place) => isNear(place) && within(place));
  const place = near ?? findLongerName(data, folded, fold(remark), area, within);
  if (place !== undefined) return place;
  const only = exactMatch(data, folded, area, within);
  const isOther = (other: number): boolean => other !== only;
  return exactMatch(data, folded, area, isOther) === undefined ? only : undefined;
}

/** Returns the largest place with a name that begins with a text, and has the remark after it. */
function findLongerName(
  data: PlaceData,
  folded: string,
  remark: string,
  area: AreaRecord,
  within: PlaceFilter,
): number | undefined {
  if (folded.length < MIN_LENGTH || remark.length < MIN_LENGTH) return undefined;
  const { nameList } = data;
  const { exactTo, to } = nameList.range(folded);
  let best: number | undefined;
  let left = MAX_NAMES;
  for (let name = exactTo; name < to && left > 0; name++) {
    const place = nameList.place(name);
    if (!area.codes.includes(countryOf(data, place)?.code ?? '') || !within(place)) continue;
    left--;
    const text = decoder.decode(nameList.bytes.subarray(0, nameList.read(name)));
    if (!text.includes(remark, folded.length)) continue;
    if (populationOf(data, place) >= populationOf(data, best ?? -1)) best = place;
  }
  return best;
}

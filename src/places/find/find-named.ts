import type { AreaRecord } from '../data/gazetteer-file.js';
import { fold } from '../names/fold.js';
import { splitRemark } from '../names/remark.js';
import type { PlaceData } from '../place-data.js';
import { cityForms } from './city-forms.js';
import { exactMatch, type PlaceFilter } from './exact-match.js';
import { isCode, isMisspelled } from './misspelled.js';
import { findWithRemark } from './with-remark.js';

/** Returns the best place of a name or of its variants in an area, among the places that `within` accepts. */
export function findNamed(
  data: PlaceData,
  name: string,
  area: AreaRecord,
  within?: PlaceFilter,
): number | undefined {
  const place = exactMatch(data, fold(name), area, within);
  if (place !== undefined) return place;
  const remarked = splitRemark(name);
  if (remarked) return findWithRemark(data, remarked, area, within);
  for (const form of cityForms(name, area.codes)) {
    const folded = fold(form);
    const other = exactMatch(data, folded, area, within);
    // "Day City" is not Dayton, although its airport code is DAY.
    if (other === undefined || isCode(data, folded, other)) continue;
    return isMisspelled(data, name, other, area) ? undefined : other;
  }
  return undefined;
}

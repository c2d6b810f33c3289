import { fold } from '../weather/fold.js';
import type { Countries } from './countries.js';
import type { GazetteerData } from './gazetteer-file.js';
import { divisionKey } from './key-hash.js';
import type { KeyTable } from './key-table.js';

/** Whether a place lies in a region or country that is named, or of which the name has begun. */
export type LiesIn = (place: number, text: string) => boolean;

export function createLiesIn(data: GazetteerData, countries: Countries, table: KeyTable): LiesIn {
  return (place, text) => {
    const { code = '', name = '' } = data.countries[data.country[place] ?? -1] ?? {};
    const division = data.division[place] ?? 0;
    const folded = fold(text);
    if (fold(name).startsWith(folded)) return true;
    if (fold(data.divisions[division - 1] ?? '').startsWith(folded)) return true;
    if (table.values(divisionKey(code, folded)).includes(division)) return true;
    const area = countries.resolve(text);
    return (
      area !== undefined &&
      area.codes.includes(code) &&
      (area.division === undefined || area.division === division)
    );
  };
}

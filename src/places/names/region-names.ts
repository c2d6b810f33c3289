import { ASCII } from '../../text/typography.js';
import { fold } from './fold.js';
import { abbreviationKey, divisionKey, regionCodeKey, regionKey } from '../data/key-hash.js';
import type { KeyTable } from '../data/key-table.js';
import { bareRegion } from './region-words.js';

/** Countries in which people write a region's code without a comma: "Portland OR", "Sydney NSW". */
const WRITTEN_WITHOUT_COMMA = new Set(['US', 'CA', 'AU', 'BR', 'MX', 'CH', 'IN', 'ZA', 'IT']);

/** Finds regions by any of their names and codes. All methods return the numbers of the regions. */
export interface RegionNames {
  /** Finds a country's regions by name or code: "Bavaria", "Berkshire", "NSW". */
  inCountry(country: string, text: string): Uint32Array;
  /** Finds a country's regions by name only: a short word can be part of a town's name. */
  byName(country: string, text: string): Uint32Array;
  /** Finds regions for a text that follows a town's name without a comma: by code only in `WRITTEN_WITHOUT_COMMA`. */
  behindName(country: string, text: string): Uint32Array;
  /** Finds regions of all countries, first by code, each in descending order of population. */
  everywhere(text: string): Uint32Array;
}

const NONE = new Uint32Array(0);

export function createRegionNames(table: KeyTable): RegionNames {
  /** The last text, folded. The countries of an area are searched one after the other for the same text. */
  let last = { text: '', folded: '', bare: '' };

  return {
    inCountry: (country, text) => either(text, (folded) => named(country, text, folded, true)),
    byName: (country, text) => either(text, (folded) => named(country, text, folded, false)),
    behindName: (country, text) =>
      either(text, (folded) => named(country, text, folded, WRITTEN_WITHOUT_COMMA.has(country))),
    everywhere: (text) =>
      either(text, (folded) => both(text, regionCodeKey(folded), regionKey(folded))),
  };

  function named(country: string, text: string, folded: string, codes: boolean): Uint32Array {
    const nameKey = divisionKey(country, folded);
    if (!codes) return table.values(nameKey);
    return both(text, abbreviationKey(country, folded), nameKey);
  }

  function both(text: string, codeKey: string, nameKey: string): Uint32Array {
    const byName = table.values(nameKey);
    // A text with an accent or in another script is not a code.
    return ASCII.test(text) ? Uint32Array.of(...table.values(codeKey), ...byName) : byName;
  }

  /** Searches for the whole text, then for the text without words such as "County". */
  function either(text: string, find: (folded: string) => Uint32Array): Uint32Array {
    if (text !== last.text) last = { text, folded: fold(text), bare: fold(bareRegion(text)) };
    const { folded, bare } = last;
    if (folded === '') return NONE;
    const whole = find(folded);
    if (bare === folded || bare === '') return whole;
    return Uint32Array.of(...whole, ...find(bare));
  }
}

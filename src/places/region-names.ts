import { fold } from './fold.js';
import { abbreviationKey, divisionKey, regionKey } from './key-hash.js';
import type { KeyTable } from './key-table.js';
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
  /** Finds regions of all countries, in descending order of population. */
  everywhere(text: string): Uint32Array;
}

const NONE = new Uint32Array(0);

export function createRegionNames(table: KeyTable): RegionNames {
  /** The last text, folded. The countries of an area are searched one after the other for the same text. */
  let last = { text: '', folded: '', bare: '' };

  return {
    inCountry: (country, text) => either(text, (folded) => named(country, folded, true)),
    byName: (country, text) => either(text, (folded) => named(country, folded, false)),
    behindName: (country, text) =>
      either(text, (folded) => named(country, folded, WRITTEN_WITHOUT_COMMA.has(country))),
    everywhere: (text) => either(text, (folded) => table.values(regionKey(folded))),
  };

  function named(country: string, folded: string, codes: boolean): Uint32Array {
    const byName = table.values(divisionKey(country, folded));
    if (!codes) return byName;
    const byCode = table.values(abbreviationKey(country, folded));
    return Uint32Array.of(...byCode, ...byName);
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

import { ASCII } from '../../text/typography.js';
import { fold } from './fold.js';
import { KEYS } from '../data/key-hash.js';
import type { KeyTable } from '../data/key-table.js';
import { bareRegion } from './region-words.js';

/** Countries in which people write a region's code without a comma: "Portland OR", "Sydney NSW". */
const WRITTEN_WITHOUT_COMMA = new Set(['US', 'CA', 'AU', 'BR', 'MX', 'CH', 'IN', 'ZA', 'IT']);

export type RegionNames = ReturnType<typeof createRegionNames>;

const NONE = new Uint32Array(0);

/** Creates the lookup of regions by any of their names and codes. All functions return the numbers of the regions. */
export function createRegionNames(table: KeyTable) {
  /** The last text, folded. The countries of an area are searched one after the other for the same text. */
  let last = { text: '', folded: '', bare: '' };

  return {
    /** Finds a country's regions by name or code: "Bavaria", "Berkshire", "NSW". */
    inCountry,
    /** Finds a country's regions by name only: a short word can be part of a town's name. */
    byName,
    /** Finds regions for a text that follows a town's name without a comma: by code only in `WRITTEN_WITHOUT_COMMA`. */
    behindName: (country: string, text: string) =>
      WRITTEN_WITHOUT_COMMA.has(country) ? inCountry(country, text) : byName(country, text),
    /** Finds regions of all countries, first by code, each in descending order of population. */
    everywhere: (text: string) =>
      either(text, (folded) => both(text, KEYS.anyRegionCode(folded), KEYS.anyRegion(folded))),
  };

  function inCountry(country: string, text: string): Uint32Array {
    return either(text, (folded) =>
      both(text, KEYS.regionCode(country, folded), KEYS.region(country, folded)),
    );
  }

  function byName(country: string, text: string): Uint32Array {
    return either(text, (folded) => table.values(KEYS.region(country, folded)));
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

import { fold } from './fold.js';
import { abbreviationKey, divisionKey, regionKey } from './key-hash.js';
import type { KeyTable } from './key-table.js';
import { bareRegion } from './region-words.js';

/** Longer texts are names, shorter ones codes: OR, NSW, PACA. */
const LONGEST_CODE = 4;
/** Countries in which people write the code without a comma too: "Portland OR", "Sydney NSW". */
const WRITTEN_WITHOUT_COMMA = new Set(['US', 'CA', 'AU', 'BR', 'MX', 'CH', 'IN', 'ZA', 'IT']);

/** Regions of countries by any of their names and codes. */
export interface RegionNames {
  /** The numbers of a country's regions that the text names: "Bavaria", "Berkshire", "NSW". */
  inCountry(country: string, text: string): Uint32Array;
  /** The same by names alone, not by codes: a short word may be part of a town's name. */
  byName(country: string, text: string): Uint32Array;
  /** The same for a text behind a town's name without a comma: by codes only where people write them so. */
  behindName(country: string, text: string): Uint32Array;
  /** The numbers of regions of all countries, those with most people first. */
  everywhere(text: string): Uint32Array;
}

const NONE = new Uint32Array(0);

export function createRegionNames(table: KeyTable): RegionNames {
  /** The countries of an area are asked one after the other for the same text. */
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
    if (!codes || folded.length > LONGEST_CODE) return byName;
    const byCode = table.values(abbreviationKey(country, folded));
    return byCode.length === 0 ? byName : Uint32Array.of(...byCode, ...byName);
  }

  /** By the whole text, then by the text without "County" and the like. */
  function either(text: string, find: (folded: string) => Uint32Array): Uint32Array {
    if (text !== last.text) last = { text, folded: fold(text), bare: fold(bareRegion(text)) };
    const { folded, bare } = last;
    if (folded === '') return NONE;
    const whole = find(folded);
    if (bare === folded || bare === '') return whole;
    const rest = find(bare);
    if (whole.length === 0) return rest;
    return rest.length === 0 ? whole : Uint32Array.of(...whole, ...rest);
  }
}

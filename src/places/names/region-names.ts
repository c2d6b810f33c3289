import { ASCII } from '../../text/typography.js';
import type { GazetteerSections } from '../data/gazetteer-file.js';
import { KEYS, valuesOf } from '../data/key-hash.js';
import { fold } from './fold.js';
import { bareRegion } from './region-words.js';

/** Countries in which people write a region's code without a comma: "Portland OR", "Sydney NSW". */
const WRITTEN_WITHOUT_COMMA = new Set(['US', 'CA', 'AU', 'BR', 'MX', 'CH', 'IN', 'ZA', 'IT']);

/** The last text, folded. The countries of an area are searched one after the other for the same text. */
let last = { text: '', folded: '', bare: '' };

type KeyOf = (name: string) => string;

/** Returns the numbers of a country's regions of a name or code: "Bavaria", "Berkshire", "NSW". */
export function regionsInCountry(data: GazetteerSections, country: string, text: string): number[] {
  const keyOf = (name: string) => KEYS.region(country, name);
  return regionsOf(data, text, keyOf, (code) => KEYS.regionCode(country, code));
}

/** Returns the numbers of a country's regions of a name only: a short word can be part of a town's name. */
export function regionsByName(data: GazetteerSections, country: string, text: string): number[] {
  return regionsOf(data, text, (name) => KEYS.region(country, name));
}

/** Returns the regions of a text that follows a town's name without a comma: by code only in `WRITTEN_WITHOUT_COMMA`. */
export function regionsBehindName(
  data: GazetteerSections,
  country: string,
  text: string,
): number[] {
  const find = WRITTEN_WITHOUT_COMMA.has(country) ? regionsInCountry : regionsByName;
  return find(data, country, text);
}

/** Returns the regions of all countries of a code, then of a name, each in descending order of population. */
export function regionsEverywhere(data: GazetteerSections, text: string): number[] {
  return regionsOf(data, text, KEYS.anyRegion, KEYS.anyRegionCode);
}

/** Searches for the whole text, then for the text without words such as "County". */
function regionsOf(data: GazetteerSections, text: string, nameKey: KeyOf, codeKey?: KeyOf) {
  if (text !== last.text) last = { text, folded: fold(text), bare: fold(bareRegion(text)) };
  // A text with an accent or in another script is not a code.
  const keysOf = codeKey && ASCII.test(text) ? [codeKey, nameKey] : [nameKey];
  const forms = [...new Set([last.folded, last.bare])].filter((form) => form !== '');
  return forms.flatMap((form) => keysOf.flatMap((keyOf) => [...valuesOf(data, keyOf(form))]));
}

import { foldCountry } from '../../src/places/names/countries.js';
import { load } from './packages.js';

/**
 * Reads official and native names of countries from the package country-to-iso: folded names with
 * the code of their country. Names of several countries and codes are left out.
 *
 * @param isCode whether a name is the code of its country
 */
export function readOfficialNames(
  isCode: (name: string, country: string) => boolean,
): Map<string, string> {
  const read = (file: string): unknown => load(`country-to-iso/data/${file}`);
  const names = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const code of read('iso-alpha-2.json') as string[]) {
    const country = read(`country/${code}.json`) as { names: string[] };
    const full = country.names.filter((name) => !isCode(name, code));
    for (const folded of new Set(full.map(foldCountry))) {
      if (names.has(folded)) ambiguous.add(folded);
      names.set(folded, code);
    }
  }
  for (const folded of ambiguous) names.delete(folded);
  return names;
}

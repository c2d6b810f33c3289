import { foldCountry } from '../../src/places/countries.js';
import { load } from './packages.js';

/**
 * Official and native names of countries from the package country-to-iso, folded, each with the code of
 * its country. A name that the lists of two countries have is left out.
 */
export function readOfficialNames(): Map<string, string> {
  const read = (file: string): unknown => load(`country-to-iso/data/${file}`);
  const names = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const code of read('iso-alpha-2.json') as string[]) {
    const country = read(`country/${code}.json`) as { names: string[] };
    for (const folded of new Set(country.names.map(foldCountry))) {
      if (names.has(folded)) ambiguous.add(folded);
      names.set(folded, code);
    }
  }
  for (const folded of ambiguous) names.delete(folded);
  return names;
}

import { fold } from '../weather/fold.js';
import type { AreaRecord, CountryRecord } from './gazetteer-file.js';
import { countryKey } from './key-hash.js';
import type { KeyTable } from './key-table.js';

/** Countries by any of their names. */
export interface Countries {
  /**
   * The area of a country's name, alias or ISO 3166-1 code; undefined for any other text.
   * Case, accents, dots, hyphens and spaces do not matter.
   */
  resolve(name: string): AreaRecord | undefined;
  byCode(code: string): CountryRecord | undefined;
}

/** "The Gambia" and "Gambia" are the same name. */
const ARTICLE = /^the[\s]+/i;

/** Folds a country's name. The table and each lookup use the same form. */
export function foldCountry(name: string): string {
  return fold(name.replace(ARTICLE, ''));
}

/** Countries of the loaded table. The build gathers their names. */
export function createCountries(
  countries: CountryRecord[],
  areas: AreaRecord[],
  table: KeyTable,
): Countries {
  const codes = new Map(countries.map((country) => [country.code, country]));
  return {
    resolve(name) {
      const [index] = table.values(countryKey(foldCountry(name)));
      return index === undefined ? undefined : areas[index];
    },
    byCode: (code) => codes.get(code),
  };
}

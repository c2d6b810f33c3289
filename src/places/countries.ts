import { fold } from './fold.js';
import type { AreaRecord, CountryRecord } from './gazetteer-file.js';
import { countryKey } from './key-hash.js';
import type { KeyTable } from './key-table.js';
import type { RegionNames } from './region-names.js';

/** Countries by any of their names. */
export interface Countries {
  /**
   * The area of a country's name, alias or ISO 3166-1 code; undefined for any other text.
   * Case, accents, dots, hyphens and spaces do not matter.
   */
  country(name: string): AreaRecord | undefined;
  /** The same also for a region's name: Hawaii is in the United States. */
  resolve(name: string): AreaRecord | undefined;
  /**
   * All areas that the name may mean, the likeliest first: Georgia is a country and a state. A country's code means
   * no region.
   */
  areas(name: string): AreaRecord[];
  byCode(code: string): CountryRecord | undefined;
}

/** "The Gambia" and "Gambia" are the same name. */
const ARTICLE = /^the[\s]+/i;
/** ISO 3166-1 has codes of two and three letters. */
const LONGEST_CODE = 3;

/** Folds a country's name. The table and each lookup use the same form. */
export function foldCountry(name: string): string {
  return fold(name.replace(ARTICLE, ''));
}

/**
 * Countries of the loaded table. The build gathers their names.
 *
 * @param codeOfRegion the country of a region's number
 */
export function createCountries(
  countries: CountryRecord[],
  areas: AreaRecord[],
  table: KeyTable,
  regionNames: RegionNames,
  codeOfRegion: (region: number) => string,
): Countries {
  const codes = new Map(countries.map((country) => [country.code, country]));
  return {
    country,
    resolve: (name) => country(name) ?? regions(name)[0],
    areas(name) {
      const known = country(name);
      if (!known) return regions(name);
      const also = known.also ?? [];
      return name.length <= LONGEST_CODE ? [known, ...also] : [known, ...also, ...regions(name)];
    },
    byCode: (code) => codes.get(code),
  };

  function country(name: string): AreaRecord | undefined {
    const [index] = table.values(countryKey(foldCountry(name)));
    return index === undefined ? undefined : areas[index];
  }

  function regions(name: string): AreaRecord[] {
    const numbers = regionNames.everywhere(name);
    return Array.from(numbers, (region) => ({ codes: [codeOfRegion(region)], region }));
  }
}

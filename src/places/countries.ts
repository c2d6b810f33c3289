import { fold } from './fold.js';
import type { AreaRecord, CountryRecord } from './gazetteer-file.js';
import { countryKey } from './key-hash.js';
import type { KeyTable } from './key-table.js';
import type { RegionNames } from './region-names.js';

/** Finds countries by any of their names. */
export interface Countries {
  /**
   * Returns the area of a country's name, alias, or ISO 3166-1 code; undefined for any other text.
   * Ignores case, accents, periods, hyphens, and spaces.
   */
  country(name: string): AreaRecord | undefined;
  /** Like `country`, but also accepts a region's name: Hawaii is in the United States. */
  resolve(name: string): AreaRecord | undefined;
  /**
   * Returns all areas that the name can mean, the most likely first: Georgia is a country and a state. A country's code
   * is never the code of a region.
   */
  areas(name: string): AreaRecord[];
  byCode(code: string): CountryRecord | undefined;
}

/** "The Gambia" and "Gambia" are the same name. */
const ARTICLE = /^the[\s]+/i;
/** ISO 3166-1 codes have two or three letters. */
const LONGEST_CODE = 3;

/** Folds a country's name. The build and the lookups both use it. */
export function foldCountry(name: string): string {
  return fold(name.replace(ARTICLE, ''));
}

/**
 * Creates the lookup of countries on the loaded key table.
 *
 * @param codeOfRegion returns the ISO 3166-1 alpha-2 code of the country of a region
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

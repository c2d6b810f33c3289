import { ASCII } from '../../text/typography.js';
import { fold, foldedWords, shortWord } from './fold.js';
import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { KEYS } from '../data/key-hash.js';
import type { KeyTable } from '../data/key-table.js';
import { areaOfRegion } from '../data/place-record.js';
import type { RegionNames } from './region-names.js';
import { splitRemark, type NameWithRemark } from './remark.js';

export type Countries = ReturnType<typeof createCountries>;

/** Words that people leave out, and that differ between languages: "St. Vincent and Grenadines", "Bosnia et Herzegovina". */
const OPTIONAL_WORDS = new Set('the and und et og och les las los die'.split(' '));
/** Other forms of the word "Saint", besides those of all names. */
const SAINT = new Set(['sankt', 'sint']);
/** ISO 3166-1 codes have two or three letters. "Nga" is not a code, but Russia in Vietnamese. Phones write "My" for MY. */
const CODE = /^(?:[A-Za-z]{2}|[A-Z]{3}|[a-z]{3})$/;
const LONGEST_CODE = 3;

/** Folds a country's name. The build and the lookups both use it. */
export function foldCountry(name: string): string {
  const words = foldedWords(name).map((word) => (SAINT.has(word) ? 'st' : shortWord(word)));
  const needed = words.filter((word) => !OPTIONAL_WORDS.has(word));
  return needed.join('');
}

/**
 * Creates the lookup of countries by any of their names. A remark in parentheses may follow: "Congo (Kinshasa)", "Korea
 * (South)".
 */
export function createCountries(data: GazetteerData, table: KeyTable, regionNames: RegionNames) {
  return {
    country,
    /** Like `country`, but also accepts a region's name: Hawaii is in the United States. */
    resolve: (name: string): AreaRecord | undefined => areas(name)[0],
    areas,
  };

  /**
   * Returns the area of a country's name, alias, or ISO 3166-1 code; undefined for any other text.
   * Ignores case, accents, periods, hyphens, and spaces. A text with an accent or in another script is not a code.
   */
  function country(name: string): AreaRecord | undefined {
    const remarked = splitRemark(name);
    return remarked ? (withRemark(name, remarked) ?? called(remarked.bare)) : called(name);
  }

  /**
   * Returns all areas that the name can mean, the most likely first: Georgia is a country and a state. A country's code
   * is never the code of a region.
   */
  function areas(name: string): AreaRecord[] {
    const remarked = splitRemark(name);
    const known = remarked ? withRemark(name, remarked) : called(name);
    if (known) {
      const also = known.also ?? [];
      return name.length <= LONGEST_CODE ? [known, ...also] : [known, ...also, ...regions(name)];
    }
    if (!remarked) return regions(name);
    // "Georgia (USA)" is the state.
    const { bare, remark } = remarked;
    const codes = called(remark)?.codes ?? [];
    const within = regions(bare).filter((area) => codes.includes(area.codes[0] ?? ''));
    return within.length > 0 ? within : areas(bare);
  }

  /** "Myanmar (Burma)", "Iran (Islamic Republic of)", "Virgin Islands (U.S.)": the remark is a part of the name. */
  function withRemark(name: string, { bare, remark }: NameWithRemark): AreaRecord | undefined {
    return called(name) ?? called(`${remark} ${bare}`);
  }

  function called(name: string): AreaRecord | undefined {
    const folded = foldCountry(name);
    // "AND" is Andorra, "the US" a country with an article.
    const code = ASCII.test(name)
      ? firstOf(KEYS.countryCode(fold(name)), KEYS.countryCode(folded))
      : undefined;
    const named = firstOf(KEYS.countryLabel(name), KEYS.country(folded));
    // "R.U." is the United Kingdom in French, and not Russia.
    const index = CODE.test(name) ? (code ?? named) : (named ?? code);
    return index === undefined ? undefined : data.areas[index];
  }

  /** Returns the area of the first key that exists. */
  function firstOf(...keys: string[]): number | undefined {
    return keys.flatMap((key) => [...table.values(key)])[0];
  }

  function regions(name: string): AreaRecord[] {
    return Array.from(regionNames.everywhere(name), (region) => areaOfRegion(data, region));
  }
}

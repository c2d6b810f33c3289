import { ASCII } from '../../text/typography.js';
import { fold, foldedWords, shortWord } from './fold.js';
import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { KEYS, valuesOf } from '../data/key-hash.js';
import { regionsEverywhere } from './region-names.js';

/** Optional words in several languages: "St. Vincent and Grenadines", "Bosnia et Herzegovina". */
const OPTIONAL_WORDS = new Set('the and und et og och les las los die'.split(' '));
/** Other forms of the word "Saint", besides those of all names. */
const SAINT = new Set(['sankt', 'sint']);
/** ISO 3166-1 codes: 2 or 3 letters, not "Nga" (Russia in Vietnamese). Phones write "My" for MY. */
const CODE = /^(?:[A-Za-z]{2}|[A-Z]{3}|[a-z]{3})$/;
export const LONGEST_CODE = 3;
const WITH_REMARK = /^([^()]+)\(([^()]+)\)$/;

/** A name with a remark in parentheses at its end: "Halle (Saale)", "Congo (Kinshasa)". */
export interface NameWithRemark {
  /** The name without the remark. */
  bare: string;
  remark: string;
}

/** Folds a country's name. The build and the lookups both use it. */
export function foldCountry(name: string): string {
  const words = foldedWords(name).map((word) => (SAINT.has(word) ? 'st' : shortWord(word)));
  return words.filter((word) => !OPTIONAL_WORDS.has(word)).join('');
}

/** Splits a name with a remark; returns undefined for any other name. */
export function splitRemark(name: string): NameWithRemark | undefined {
  const [, bare, remark] = WITH_REMARK.exec(name) ?? [];
  return bare === undefined || remark === undefined ? undefined : { bare: bare.trim(), remark };
}

/**
 * Returns the area of a country's name, alias, or ISO 3166-1 code; undefined for any other text. A
 * remark in parentheses may follow: "Congo (Kinshasa)", "Korea (South)".
 */
export function countryNamed(data: GazetteerData, name: string): AreaRecord | undefined {
  const remarked = splitRemark(name);
  if (!remarked) return called(data, name);
  return withRemark(data, name, remarked) ?? called(data, remarked.bare);
}

/**
 * Yields all areas that the name of a country or region can mean, the most likely first: Georgia is
 * both. A country's code is never the code of a region.
 */
export function* areasNamed(data: GazetteerData, name: string): Generator<AreaRecord> {
  const remarked = splitRemark(name);
  const known = remarked ? withRemark(data, name, remarked) : called(data, name);
  if (known) {
    yield known;
    if (name.length > LONGEST_CODE) yield* regionsEverywhere(data, name);
  } else if (remarked) {
    // "Georgia (USA)" is the state.
    const { bare, remark } = remarked;
    const codes = called(data, remark)?.codes ?? [];
    const within = regionsEverywhere(data, bare).filter((area) =>
      codes.includes(area.codes[0] ?? ''),
    );
    yield* within.length > 0 ? within : areasNamed(data, bare);
  } else {
    yield* regionsEverywhere(data, name);
  }
}

/** The remark is a part of the name: "Iran (Islamic Republic of)", "Virgin Islands (U.S.)". */
function withRemark(data: GazetteerData, name: string, { bare, remark }: NameWithRemark) {
  return called(data, name) ?? called(data, `${remark} ${bare}`);
}

/**
 * Returns the area of a name, alias, or code without a remark. Ignores case, accents, periods,
 * hyphens, and spaces. A text with an accent or in another script is not a code.
 */
function called(data: GazetteerData, name: string): AreaRecord | undefined {
  const folded = foldCountry(name);
  const firstValueOf = (...keys: string[]) => keys.flatMap((key) => [...valuesOf(data, key)])[0];
  // "AND" is Andorra, "the US" a country with an article.
  const code = ASCII.test(name)
    ? firstValueOf(KEYS.countryCode(fold(name)), KEYS.countryCode(folded))
    : undefined;
  const named = firstValueOf(KEYS.countryLabel(name), KEYS.country(folded));
  // "R.U." is the United Kingdom in French, and not Russia.
  const index = CODE.test(name) ? (code ?? named) : (named ?? code);
  return index === undefined ? undefined : data.areas[index];
}

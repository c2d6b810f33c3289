import { fold } from '../../weather/fold.js';
import type { SourcePlace } from './source-places.js';

/** How good a name of a place is; smaller is better. A better name counts more than a larger city. */
export const Rank = {
  /** Today's name. */
  primary: 0,
  /** The name of 2020, or a part of today's name: Newcastle. */
  near: 1,
  /** Older names, names in other languages, abbreviations. */
  alternate: 2,
  /** Machine romanisations of those, lower-case in GeoNames: "lndn", "bkyn". */
  romanised: 3,
  /** Any name of a part of a city. */
  section: 4,
} as const;

/** Where ä, ö, ü, å, ø, æ are also written with two letters. */
const TWO_LETTER_COUNTRIES = new Set(
  'DE AT CH LI LU BE IT PL CZ DK NO SE FI EE IS FO AX SJ'.split(' '),
);
const TWO_LETTERS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };
const ROMANISED = /^[a-z]/;
const WORD_BREAK = /[^\p{L}\p{M}\p{N}'’]+/u;
/** The word "city" at the end of a name, in English, Japanese, Chinese, Korean and Burmese. */
const CITY_SUFFIX = /(?:(?<=.) City|(?<=\p{L})-(?:shi|si)|(?<=\p{L}{2})市|(?<=\p{L}{2}) ?시|မြို့)$/u;

const CITY_PREFIX = /^(?:City of|Thành phố) /;
/** Chinese place names often carry their kind in pinyin: Tongchuanshi, Puyang Chengguanzhen. */
const PINYIN_KINDS = ['shi', 'xian', 'chengguanzhen'];

/**
 * Every folded name of a place, each with the best rank that it has there.
 *
 * @param formsOf the folded forms of a name
 */
export function foldedNames(
  place: SourcePlace,
  formsOf = (name: string): string[] => [fold(name)],
): Map<string, number> {
  const ranks = new Map<string, number>();
  const add = (name: string, rank: number): void => {
    const best = place.section ? Rank.section : rank;
    for (const folded of formsOf(name)) {
      const known = ranks.get(folded);
      if (folded !== '' && (known === undefined || best < known)) ranks.set(folded, best);
    }
  };
  const addVariants = (name: string, rank: number): void => {
    for (const variant of variants(name, place.country)) {
      add(variant, isPartOf(variant, place.name) ? Math.min(rank, Rank.near) : rank);
    }
  };
  for (const name of [place.name, ...halves(place.name)]) {
    add(name, Rank.primary);
    addVariants(name, Rank.near);
  }
  for (const name of place.formerNames) {
    add(name, Rank.near);
    addVariants(name, Rank.alternate);
  }
  for (const name of place.alternateNames) {
    const rank = ROMANISED.test(name) ? Rank.romanised : Rank.alternate;
    add(name, rank === Rank.alternate && isPartOf(name, place.name) ? Rank.near : rank);
    addVariants(name, rank);
  }
  return ranks;
}

/** Whether a name consists of words of the full name, or lacks only its kind ("shi"). */
function isPartOf(name: string, fullName: string): boolean {
  const whole = fold(fullName);
  if (PINYIN_KINDS.some((kind) => whole === fold(name) + kind)) return true;
  const words = fullName.split(WORD_BREAK).map(fold);
  return name.split(WORD_BREAK).every((word) => words.includes(fold(word)));
}

/** Bilingual names: "Donostia / San Sebastián", "Biel/Bienne". */
function halves(name: string): string[] {
  return name.includes('/') ? name.split('/') : [];
}

/** Other spellings of a name: Koeln, Davao (City), 大阪 (市), 부산 (시). */
function variants(name: string, country: string): string[] {
  const result: string[] = [];
  if (TWO_LETTER_COUNTRIES.has(country)) {
    const spelt = name.normalize('NFC').replace(/[äöüåø]/gi, (letter) => {
      return TWO_LETTERS[letter.toLowerCase()] ?? letter;
    });
    if (spelt !== name) result.push(spelt);
  }
  const short = name.replace(CITY_SUFFIX, '').replace(CITY_PREFIX, '');
  if (short !== name) result.push(short);
  if (name.startsWith('Thành phố ')) result.push(`TP ${short}`);
  return result;
}

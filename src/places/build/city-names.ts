import { fold } from '../fold.js';
import type { SourcePlace } from './source-places.js';

/** How good a name is; smaller is better, and a better name beats a larger city. */
export const Rank = {
  /** What the place is called, or was called in 2020. */
  primary: 0,
  /** Its names in other languages, older names, abbreviations. */
  alternate: 1,
  /** Machine romanisations of those (GeoNames has them in lower case): "lndn", "bkyn". */
  romanised: 2,
  /** Any name of a part of a city. */
  section: 3,
} as const;
export type Rank = (typeof Rank)[keyof typeof Rank];

/** Where ä, ö, ü, å, ø, æ are also written with two letters. */
const TWO_LETTER_COUNTRIES = new Set(
  'DE AT CH LI LU BE IT PL CZ DK NO SE FI EE IS FO AX SJ'.split(' '),
);
const TWO_LETTERS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };
const ROMANISED = /^[a-z]/;

/** Every folded name of a place, each with the best rank that it has there. */
export function foldedNames(place: SourcePlace): Map<string, Rank> {
  const ranks = new Map<string, Rank>();
  const add = (name: string, rank: Rank): void => {
    const folded = fold(name);
    const best = place.section ? Rank.section : rank;
    const known = ranks.get(folded);
    if (folded !== '' && (known === undefined || best < known)) ranks.set(folded, best);
  };
  for (const name of [place.name, ...place.formerNames]) {
    add(name, Rank.primary);
    for (const half of halves(name)) add(half, Rank.primary);
    for (const variant of variants(name, place.country)) add(variant, Rank.alternate);
  }
  for (const name of place.alternateNames) {
    const rank = ROMANISED.test(name) ? Rank.romanised : Rank.alternate;
    add(name, rank);
    for (const variant of variants(name, place.country)) add(variant, rank);
  }
  return ranks;
}

/** Bilingual names: "Donostia / San Sebastián", "Biel/Bienne". */
function halves(name: string): string[] {
  return name.includes('/') ? name.split('/') : [];
}

/** Other ways to write one name: Koeln, Davao (City), 大阪 (市), 부산 (시). */
function variants(name: string, country: string): string[] {
  const result: string[] = [];
  if (TWO_LETTER_COUNTRIES.has(country)) {
    const spelt = name.normalize('NFC').replace(/[äöüåø]/gi, (letter) => {
      return TWO_LETTERS[letter.toLowerCase()] ?? letter;
    });
    if (spelt !== name) result.push(spelt);
  }
  const short = name.replace(/(?:(?<=.) City|(?<=\p{L}{2})市|(?<=\p{L}{2}) ?시)$/u, '');
  if (short !== name) result.push(short);
  return result;
}

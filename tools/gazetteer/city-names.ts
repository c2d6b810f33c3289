import { foldOnce, typedFormsOnce } from './fold-once.js';
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

/** A name of a place in every form that people may type, the folded one first, with its rank there. */
interface RankedName {
  forms: string[];
  rank: number;
}

const rankedNamesOf = new Map<SourcePlace, RankedName[]>();

/** Every name of a place. A name may come several times; its best rank counts. */
function rankedNames(place: SourcePlace): RankedName[] {
  const known = rankedNamesOf.get(place);
  if (known) return known;
  const result: RankedName[] = [];
  const isPart = partOf(place.name);
  const add = (name: string, rank: number): void => {
    result.push({ forms: typedFormsOnce(name), rank });
  };
  const addVariants = (name: string, rank: number): void => {
    for (const variant of variants(name, place.country)) {
      add(variant, isPart(variant) ? Math.min(rank, Rank.near) : rank);
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
    add(name, rank === Rank.alternate && isPart(name) ? Rank.near : rank);
    addVariants(name, rank);
  }
  rankedNamesOf.set(place, result);
  return result;
}

/** Every folded name of a place, each with the best rank that it has there. */
export function foldedNames(place: SourcePlace): Map<string, number> {
  const ranks = new Map<string, number>();
  for (const { forms, rank } of rankedNames(place)) {
    addBest(ranks, forms[0] ?? '', place.section ? Rank.section : rank);
  }
  return ranks;
}

/** Likewise every form of every name. A part of a city ranks like any other place. */
export function typedNames(place: SourcePlace): Map<string, number> {
  const ranks = new Map<string, number>();
  for (const { forms, rank } of rankedNames(place)) {
    for (const form of forms) addBest(ranks, form, rank);
  }
  return ranks;
}

function addBest(ranks: Map<string, number>, folded: string, rank: number): void {
  const known = ranks.get(folded);
  if (folded !== '' && (known === undefined || rank < known)) ranks.set(folded, rank);
}

/** Whether a name consists of words of the full name, or lacks only its kind ("shi"). */
function partOf(fullName: string): (name: string) => boolean {
  const whole = foldOnce(fullName);
  const stems = PINYIN_KINDS.filter((kind) => whole.endsWith(kind)).map((kind) =>
    whole.slice(0, -kind.length),
  );
  const words = fullName.split(WORD_BREAK).map(foldOnce);
  return (name) =>
    stems.includes(foldOnce(name)) ||
    name.split(WORD_BREAK).every((word) => words.includes(foldOnce(word)));
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

import { fold } from '../../src/places/names/fold.js';
import { isNativeName } from './native-names.js';
import { sourcePlace, type SourcePlace } from './source-places.js';
import { typedForms } from './typed-forms.js';

/** The rank of a name of a place; lower is better. The rank matters more than the population. */
export const Rank = {
  /** The main name. */
  primary: 0,
  /** The main name: in part (Newcastle), of 2020, or in the country's script. */
  near: 1,
  /** Former and foreign names, abbreviations, and the main name of a part of a city. */
  alternate: 2,
  /** Machine romanizations, which are lower-case in GeoNames: "lndn", "bkyn". */
  romanized: 3,
  /** Other names of a part of a city. */
  section: 4,
  /** Names of a place of which only name and coordinates are known. */
  obscure: 5,
} as const;

/** Countries where ä, ö, ü, å, ø, and æ are also written with two letters. */
const TWO_LETTER_COUNTRIES = new Set(
  'DE AT CH LI LU BE IT PL CZ DK NO SE FI EE IS FO AX SJ'.split(' '),
);
const TWO_LETTERS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };
const ROMANIZED = /^[a-z]/;
const WORD_BREAK = /[^\p{L}\p{M}\p{N}'’]+/u;
/** The word "city" at the end of a name in English, Japanese, Chinese, Korean, and Burmese. */
const CITY_SUFFIX = /(?:(?<=.) City|(?<=\p{L})-(?:shi|si)|(?<=\p{L}{2})市|(?<=\p{L}{2}) ?시|မြို့)$/u;
/** The last letters of these words. They are checked first, because the expression is slow. */
const CITY_ENDS = Array.from(['City', 'shi', '市', '시', 'မြို့'], (word) => word.at(-1) ?? '');
const CITY_PREFIX = /^(?:City of|Thành phố) /;
/** Pinyin words for kinds of places that end Chinese names: Tongchuanshi, Puyang Chengguanzhen. */
const PINYIN_KINDS = ['shi', 'xian', 'chengguanzhen'];

/** A part of a name has at least this share of its letters: Newcastle upon Tyne is not Tyne. */
const LEAST_SHARE = 1 / 3;

/** A part of a city with this number of names is as important as a town: Hollywood. */
const FAMOUS = 40;

/** All distinct folded names. A name's number is its index: numbers compare faster than texts. */
const texts: string[] = [];
const numbers = new Map<string, number>();

/** Returns the number of a folded name, and assigns one if it is new. */
export function numberOf(folded: string): number {
  const known = numbers.get(folded);
  if (known !== undefined) return known;
  numbers.set(folded, texts.length);
  return texts.push(folded) - 1;
}

/** Returns the folded names by their numbers, including names that no place has. */
export function nameTexts(): readonly string[] {
  return texts;
}

/** A name of a place as one integer: its number, its rank in lookups, its rank in suggestions. */
type RankedName = number;
const RANK_BITS = 3;
const RANK_MASK = 7;
/** The rank in lookups of a form that is only for suggestions. */
const NO_RANK = 7;

const rankedNamesOf = new Map<SourcePlace, RankedName[]>();

function rankedNames(place: SourcePlace): readonly RankedName[] {
  const known = rankedNamesOf.get(place);
  if (known) return known;
  const result: RankedName[] = [];
  const { add, addVariants, addOther } = ranking(place, result);
  add(typedForms(place.name), Rank.primary);
  addVariants(place.name, Rank.near);
  // Bilingual names: "Donostia / San Sebastián", "Biel/Bienne".
  for (const name of place.name.includes('/') ? place.name.split('/') : []) {
    add(typedForms(name), Rank.near);
    addVariants(name, Rank.near);
  }
  for (const name of place.formerNames) {
    if (name === place.name) continue;
    add(typedForms(name), Rank.near);
    addVariants(name, Rank.alternate);
  }
  place.alternateNames.forEach(addOther);
  rankedNamesOf.set(place, result);
  return result;
}

/** Returns the place with more alternate names, and reuses the ranks of its other names. */
export function withNames(place: SourcePlace, more: string[]): SourcePlace {
  const alternateNames = [...new Set([...place.alternateNames, ...more])];
  const named = sourcePlace({ ...place, alternateNames });
  const known = rankedNamesOf.get(place);
  if (known) {
    const result = [...known];
    more.forEach(ranking(place, result).addOther);
    rankedNamesOf.set(named, result);
  }
  return named;
}

/** Returns all places, with more alternate names of some of them. */
export function withAllNames(places: SourcePlace[], names: Map<SourcePlace, string[]>) {
  return places.map((place) => {
    const more = names.get(place);
    return more ? withNames(place, more) : place;
  });
}

/** Creates functions that add names of a place to a list. */
function ranking(place: SourcePlace, result: RankedName[]) {
  const isPart = partOf(place.name);
  const add = (forms: string[], rank: number): void => {
    for (const [i, form] of forms.entries()) addBest(result, form, i === 0 ? rank : NO_RANK, rank);
  };
  const addVariants = (name: string, rank: number): void => {
    for (const variant of variants(name, place.country)) {
      const forms = typedForms(variant);
      add(forms, isPart(variant, forms) ? Math.min(rank, Rank.near) : rank);
    }
  };
  const addOther = (name: string): void => {
    if (name === place.name) return;
    const rank = ROMANIZED.test(name) ? Rank.romanized : Rank.alternate;
    const forms = typedForms(name);
    const isNear =
      rank === Rank.alternate &&
      (isPart(name, forms) || isNativeName(name, place.name, place.country));
    add(forms, isNear ? Rank.near : rank);
    addVariants(name, rank);
  };
  return { add, addVariants, addOther };
}

/** Receives the number of a name, and its best rank for a place. */
type Visit = (name: number, rank: number) => void;

/** Visits every folded name of a place with its rank in lookups. */
export function eachName(place: SourcePlace, visit: Visit): void {
  const isLess = place.section && place.fame < FAMOUS;
  for (const ranked of rankedNames(place)) {
    const rank = (ranked >> RANK_BITS) & RANK_MASK;
    if (rank !== NO_RANK) visit(ranked >> (2 * RANK_BITS), isLess ? lessened(place, rank) : rank);
  }
}

/** Visits all forms of all names with their ranks in suggestions, also for parts of cities. */
export function eachTypedName(place: SourcePlace, visit: Visit): void {
  for (const ranked of rankedNames(place)) visit(ranked >> (2 * RANK_BITS), ranked & RANK_MASK);
}

/** Returns every folded name of a place with its rank in lookups. */
export function foldedNames(place: SourcePlace): Map<string, number> {
  const names = new Map<string, number>();
  eachName(place, (name, rank) => names.set(texts[name] ?? '', rank));
  return names;
}

/** Returns the rank in lookups of a name of a part of a city, or of an obscure place. */
function lessened(place: SourcePlace, rank: number): number {
  if (place.obscure) return Rank.obscure;
  return rank === Rank.primary ? Rank.alternate : Rank.section;
}

function addBest(names: RankedName[], folded: string, rank: number, typed: number): void {
  if (folded === '') return;
  const number = numberOf(folded);
  const ranked = (number << (2 * RANK_BITS)) | (rank << RANK_BITS) | typed;
  // A loop, because this is the innermost step of the build.
  let at = 0;
  while (at < names.length && (names[at] ?? 0) >> (2 * RANK_BITS) !== number) at++;
  const known = names[at];
  if (known === undefined) names.push(ranked);
  else {
    const best = Math.min((known >> RANK_BITS) & RANK_MASK, rank);
    names[at] =
      (number << (2 * RANK_BITS)) | (best << RANK_BITS) | Math.min(known & RANK_MASK, typed);
  }
}

/** Creates the check whether a name has only words of the full name, or lacks its kind ("shi"). */
function partOf(fullName: string): (name: string, forms: string[]) => boolean {
  let full: ReturnType<typeof partsOf> | undefined;
  return (name, [folded = '']) => {
    // Computed on first use, because many places have no other name.
    full ??= partsOf(fullName);
    const { whole, stems, words } = full;
    if (stems.includes(folded)) return true;
    if (folded.length < LEAST_SHARE * whole.length) return false;
    if (!WORD_BREAK.test(name)) return words.includes(folded);
    return name.split(WORD_BREAK).every((word) => words.includes(fold(word)));
  };
}

function partsOf(fullName: string) {
  const whole = fold(fullName);
  const kinds = PINYIN_KINDS.filter((kind) => whole.endsWith(kind));
  return {
    whole,
    stems: kinds.map((kind) => whole.slice(0, -kind.length)),
    words: fullName.split(WORD_BREAK).map(fold),
  };
}

/** Returns other spellings of a name: Koeln, Davao (City), 大阪 (市), 부산 (시). */
function variants(name: string, country: string): string[] {
  const result: string[] = [];
  if (TWO_LETTER_COUNTRIES.has(country)) {
    const spelled = name.normalize('NFC').replace(/[äöüåø]/gi, (letter) => {
      return TWO_LETTERS[letter.toLowerCase()] ?? letter;
    });
    if (spelled !== name) result.push(spelled);
  }
  const mayHaveSuffix = CITY_ENDS.includes(name.at(-1) ?? '');
  const short = (mayHaveSuffix ? name.replace(CITY_SUFFIX, '') : name).replace(CITY_PREFIX, '');
  if (short !== name) result.push(short);
  if (name.startsWith('Thành phố ')) result.push(`TP ${short}`);
  return result;
}

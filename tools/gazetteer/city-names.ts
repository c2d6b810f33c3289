import { typedForms } from '../../src/places/typed-names.js';
import { fold } from '../../src/places/fold.js';
import { isNativeName } from './native-names.js';
import { sourcePlace, type SourcePlace } from './source-places.js';

/** How good a name of a place is; smaller is better. A better name counts more than a larger city. */
export const Rank = {
  /** Today's name. */
  primary: 0,
  /** The name of 2020, a part of today's name (Newcastle), or the name in the country's own letters. */
  near: 1,
  /** Older names, names in other languages, abbreviations; today's name of a part of a city. */
  alternate: 2,
  /** Machine romanisations of those, lower-case in GeoNames: "lndn", "bkyn". */
  romanised: 3,
  /** Any other name of a part of a city. */
  section: 4,
  /** The name of a place of which no more is known. */
  obscure: 5,
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
/** The last letters of names that have it: the expression is slow, and few names end so. */
const CITY_ENDS = Array.from(['City', 'shi', '市', '시', 'မြို့'], (word) => word.at(-1) ?? '');
const CITY_PREFIX = /^(?:City of|Thành phố) /;
/** Chinese place names often carry their kind in pinyin: Tongchuanshi, Puyang Chengguanzhen. */
const PINYIN_KINDS = ['shi', 'xian', 'chengguanzhen'];

/** A part of a name stands for it if it has so much of its letters: Newcastle upon Tyne is not called Tyne. */
const LEAST_SHARE = 1 / 3;

/** A part of a city with so many names is one that people mean: Hollywood. */
const FAMOUS = 40;

/** All folded names, each once. A name's number is its index: the passes over all places compare numbers. */
const texts: string[] = [];
const numbers = new Map<string, number>();

/** The number of a folded name. */
export function numberOf(folded: string): number {
  const known = numbers.get(folded);
  if (known !== undefined) return known;
  numbers.set(folded, texts.length);
  return texts.push(folded) - 1;
}

/** The folded names by their numbers, also those that were only asked for. */
export function nameTexts(): readonly string[] {
  return texts;
}

/** A name of a place as one integer: its number, its rank in lookups, its rank while it is typed. */
type RankedName = number;
const RANK_BITS = 3;
const RANK_MASK = 7;
/** In lookups of a form that people only type. */
const NO_RANK = 7;

const rankedNamesOf = new Map<SourcePlace, RankedName[]>();

function rankedNames(place: SourcePlace): readonly RankedName[] {
  const known = rankedNamesOf.get(place);
  if (known) return known;
  const result: RankedName[] = [];
  const { add, addVariants, addOther } = ranking(place, result);
  add(typedForms(place.name), Rank.primary);
  addVariants(place.name, Rank.near);
  for (const name of halves(place.name)) {
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

/** The place with more alternate names. What is known of its names is not found out again. */
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

/** Adds names of a place to a list. */
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
    const rank = ROMANISED.test(name) ? Rank.romanised : Rank.alternate;
    const forms = typedForms(name);
    const isNear =
      rank === Rank.alternate &&
      (isPart(name, forms) || isNativeName(name, place.name, place.country));
    add(forms, isNear ? Rank.near : rank);
    addVariants(name, rank);
  };
  return { add, addVariants, addOther };
}

/** Takes the number of a name, and the best rank that it has for a place. */
type Visit = (name: number, rank: number) => void;

/** Visits every folded name of a place. */
export function eachName(place: SourcePlace, visit: Visit): void {
  const isLess = place.section && place.fame < FAMOUS;
  for (const ranked of rankedNames(place)) {
    const rank = (ranked >> RANK_BITS) & RANK_MASK;
    if (rank !== NO_RANK) visit(ranked >> (2 * RANK_BITS), isLess ? lessened(place, rank) : rank);
  }
}

/** Visits every form of every name that people may type. A part of a city ranks like any other place. */
export function eachTypedName(place: SourcePlace, visit: Visit): void {
  for (const ranked of rankedNames(place)) visit(ranked >> (2 * RANK_BITS), ranked & RANK_MASK);
}

/** Every folded name of a place with its rank. */
export function foldedNames(place: SourcePlace): Map<string, number> {
  const names = new Map<string, number>();
  eachName(place, (name, rank) => names.set(texts[name] ?? '', rank));
  return names;
}

/** How a name of a part of a city, or of an obscure place, ranks in lookups. */
function lessened(place: SourcePlace, rank: number): number {
  if (place.obscure) return Rank.obscure;
  return rank === Rank.primary ? Rank.alternate : Rank.section;
}

function addBest(names: RankedName[], folded: string, rank: number, typed: number): void {
  if (folded === '') return;
  const number = numberOf(folded);
  const ranked = (number << (2 * RANK_BITS)) | (rank << RANK_BITS) | typed;
  const at = names.findIndex((name) => name >> (2 * RANK_BITS) === number);
  const known = names[at];
  if (known === undefined) names.push(ranked);
  else {
    const best = Math.min((known >> RANK_BITS) & RANK_MASK, rank);
    names[at] =
      (number << (2 * RANK_BITS)) | (best << RANK_BITS) | Math.min(known & RANK_MASK, typed);
  }
}

/** Whether a name consists of words of the full name, or lacks only its kind ("shi"). */
function partOf(fullName: string): (name: string, forms: string[]) => boolean {
  let full: { whole: string; stems: string[]; words: string[] } | undefined;
  return (name, [folded = '']) => {
    // Many places have no other name.
    full ??= partsOf(fullName);
    const { whole, stems, words } = full;
    if (stems.includes(folded)) return true;
    if (folded.length < LEAST_SHARE * whole.length) return false;
    if (!WORD_BREAK.test(name)) return words.includes(folded);
    return name.split(WORD_BREAK).every((word) => words.includes(fold(word)));
  };
}

function partsOf(fullName: string): { whole: string; stems: string[]; words: string[] } {
  const whole = fold(fullName);
  const kinds = PINYIN_KINDS.filter((kind) => whole.endsWith(kind));
  return {
    whole,
    stems: kinds.map((kind) => whole.slice(0, -kind.length)),
    words: fullName.split(WORD_BREAK).map(fold),
  };
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
  const mayHaveSuffix = CITY_ENDS.includes(name.at(-1) ?? '');
  const short = (mayHaveSuffix ? name.replace(CITY_SUFFIX, '') : name).replace(CITY_PREFIX, '');
  if (short !== name) result.push(short);
  if (name.startsWith('Thành phố ')) result.push(`TP ${short}`);
  return result;
}

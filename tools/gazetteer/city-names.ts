import { typedForms } from '../../src/places/typed-names.js';
import { fold } from '../../src/weather/fold.js';
import { isNativeName } from './native-names.js';
import type { SourcePlace } from './source-places.js';

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
/** The ends of names that have it: the expression is slow, and few names end so. */
const CITY_ENDS = ['City', 'shi', 'si', '市', '시', 'မြို့'];
const CITY_PREFIX = /^(?:City of|Thành phố) /;
/** Chinese place names often carry their kind in pinyin: Tongchuanshi, Puyang Chengguanzhen. */
const PINYIN_KINDS = ['shi', 'xian', 'chengguanzhen'];

/** A part of a name stands for it if it has so much of its letters: Newcastle upon Tyne is not called Tyne. */
const LEAST_SHARE = 1 / 3;

/** Every name of a place, with the best rank that it has there. */
interface RankedNames {
  folded: Map<string, number>;
  /** The folded names of a part of a city, or of an obscure place, as lookups rank them. */
  lessened?: Map<string, number>;
  /** In every form that people may type. Mostly these are the folded names, and this is the same map. */
  typed: Map<string, number>;
}

/** A part of a city with so many names is one that people mean: Hollywood. */
const FAMOUS = 40;

const rankedNamesOf = new Map<SourcePlace, RankedNames>();

function rankedNames(place: SourcePlace): RankedNames {
  const known = rankedNamesOf.get(place);
  if (known) return known;
  const folded = new Map<string, number>();
  const result: RankedNames = { folded, typed: folded };
  const isPart = partOf(place.name);
  const add = (forms: string[], rank: number): void => {
    if (forms.length > 1 && result.typed === folded) result.typed = new Map(folded);
    addBest(folded, forms[0] ?? '', rank);
    if (result.typed !== folded) for (const form of forms) addBest(result.typed, form, rank);
  };
  const addVariants = (name: string, rank: number): void => {
    for (const variant of variants(name, place.country)) {
      const forms = typedForms(variant);
      add(forms, isPart(variant, forms) ? Math.min(rank, Rank.near) : rank);
    }
  };
  add(typedForms(place.name), Rank.primary);
  addVariants(place.name, Rank.near);
  for (const name of halves(place.name)) {
    add(typedForms(name), Rank.near);
    addVariants(name, Rank.near);
  }
  const isOther = (name: string): boolean => name !== place.name;
  for (const name of place.formerNames.filter(isOther)) {
    add(typedForms(name), Rank.near);
    addVariants(name, Rank.alternate);
  }
  for (const name of place.alternateNames.filter(isOther)) {
    const rank = ROMANISED.test(name) ? Rank.romanised : Rank.alternate;
    const forms = typedForms(name);
    const isNear =
      rank === Rank.alternate &&
      (isPart(name, forms) || isNativeName(name, place.name, place.country));
    add(forms, isNear ? Rank.near : rank);
    addVariants(name, rank);
  }
  rankedNamesOf.set(place, result);
  return result;
}

/** Every folded name of a place, each with the best rank that it has there. */
export function foldedNames(place: SourcePlace): ReadonlyMap<string, number> {
  const names = rankedNames(place);
  if (!place.section || place.fame >= FAMOUS) return names.folded;
  names.lessened ??= new Map(
    Array.from(names.folded, ([name, rank]): [string, number] => {
      if (place.obscure) return [name, Rank.obscure];
      return [name, rank === Rank.primary ? Rank.alternate : Rank.section];
    }),
  );
  return names.lessened;
}

/** Likewise every form of every name. A part of a city ranks like any other place. */
export function typedNames(place: SourcePlace): ReadonlyMap<string, number> {
  return rankedNames(place).typed;
}

function addBest(ranks: Map<string, number>, folded: string, rank: number): void {
  const known = ranks.get(folded);
  if (folded !== '' && (known === undefined || rank < known)) ranks.set(folded, rank);
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
  const mayHaveSuffix = CITY_ENDS.some((end) => name.endsWith(end));
  const short = (mayHaveSuffix ? name.replace(CITY_SUFFIX, '') : name).replace(CITY_PREFIX, '');
  if (short !== name) result.push(short);
  if (name.startsWith('Thành phố ')) result.push(`TP ${short}`);
  return result;
}

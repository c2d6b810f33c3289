import { firstNotLess } from './ascending.js';
import { createEditDistance } from './edit-distance.js';
import type { GazetteerData } from './gazetteer-file.js';
import { NameKind, type NameList } from './name-list.js';

/** A name of a country's place, and how many edits it is from the text. */
export interface SimilarName {
  /** The name's number in the list. */
  name: number;
  edits: number;
}

/**
 * Gives the names of a country's places that are at most so many edits from a folded text; codes and romanisations by
 * machine are none.
 *
 * @param folded from 1 to `MAX_LENGTH` letters
 * @param country index of the country
 */
export type SimilarNames = (folded: string, country: number, allowed: number) => SimilarName[];

/** Longer texts are not compared: nobody mistypes them, and each letter costs time. */
export const MAX_LENGTH = 40;
const ASCII = /^[\0-\x7f]*$/;
/** The letters of English, and what separates words: the others of a byte fall in with these. */
const LETTER_BITS = 27;
/** What the five bits above can hold: longer names count as so long. */
const LONGEST = 31;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Names that begin alike, in the order of the list; with a third letter, those that have it. */
interface Range {
  from: number;
  to: number;
  third?: number;
}

/** What a text is compared by. */
interface Sought {
  folded: string;
  isAscii: boolean;
  letters: Uint16Array;
  bytes: number;
  mark: number;
  beginnings: Range[];
}

/** The cost is bounded: one pass over the signatures of the country's names, which dismiss nearly all. */
export function createSimilarNames(data: GazetteerData, names: NameList): SimilarNames {
  const { homeStart, homeList } = data;
  const distance = createEditDistance(4 * MAX_LENGTH);
  const decoder = new TextDecoder();
  /** Of each name that was looked at once: to read a name takes a hundred times longer. */
  const signatures = new Uint32Array(homeList.length);
  /** Of one or two letters of English, which are few: to find them takes longer than all else. */
  const ranges = new Map<string, Range>();

  /** The countries of an area are asked one after the other for the same text. */
  let last: Sought | undefined;

  return (folded, country, allowed) => {
    const sought = last?.folded === folded ? last : (last = soughtOf(folded));
    const { isAscii, letters, bytes, mark, beginnings } = sought;
    const [first, end] = [homeStart[country] ?? 0, homeStart[country + 1] ?? 0];
    // A letter takes up to three bytes.
    const slack = isAscii ? allowed : 3 * allowed;
    const found: SimilarName[] = [];
    for (const { from, to, third } of beginnings) {
      const past = firstNotLess(homeList, to, first, end);
      for (let item = firstNotLess(homeList, from, first, past); item < past; item++) {
        const known = (signatures[item] ||= signatureOf(homeList[item] ?? 0));
        const longer = (known >>> LETTER_BITS) - (mark >>> LETTER_BITS);
        if (Math.abs(longer) > slack) continue;
        // An edit adds one letter at most, and takes one away; those that only make it longer take none away.
        if (isAscii && lettersOnlyIn(known, mark) > allowed + Math.min(0, longer)) continue;
        if (isAscii && lettersOnlyIn(mark, known) > allowed - Math.max(0, longer)) continue;
        compare(homeList[item] ?? 0, third);
      }
    }
    return found;

    function compare(name: number, third: number | undefined): void {
      if (names.kind(name) === NameKind.remote) return;
      const length = names.read(name);
      if (third !== undefined && (length < 3 || names.bytes[2] !== third)) return;
      if (Math.abs(length - bytes) > slack) return;
      const text = names.bytes.subarray(0, length);
      const edits = distance(letters, isAscii ? text : unitsOf(decoder.decode(text)), allowed);
      if (edits <= allowed) found.push({ name, edits });
    }
  };

  function signatureOf(name: number): number {
    return signature(names.bytes, names.read(name));
  }

  function soughtOf(folded: string): Sought {
    const isAscii = ASCII.test(folded);
    const letters = unitsOf(folded);
    const bytes = Buffer.byteLength(folded);
    const beginnings = Array.from(beginningsAlike(folded, isAscii), (beginning) => {
      // Of three letters the third is compared later: fewer ranges are remembered.
      if (!isAscii || beginning.length < 3) return rangeOf(beginning);
      return { ...rangeOf(beginning.slice(0, 2)), third: beginning.charCodeAt(2) };
    });
    return { folded, isAscii, letters, bytes, mark: signature(letters, bytes), beginnings };
  }

  function rangeOf(beginning: string): Range {
    const known = ranges.get(beginning);
    if (known) return known;
    const range = names.range(beginning);
    if (ASCII.test(beginning)) ranges.set(beginning, range);
    return range;
  }
}

/** Beginnings of names that have at most one edit in their first letters: few mistype a name from its beginning. */
function beginningsAlike(folded: string, isAscii: boolean): Set<string> {
  const [a = '', b = '', c = ''] = folded;
  // As it is typed, without its first letter, and with the first two swapped.
  const beginnings = new Set([a, b + c, b + a]);
  if (isAscii) {
    for (const letter of LETTERS) {
      if (letter !== a) beginnings.add(letter + a).add(letter + b + c);
    }
  }
  return beginnings;
}

function unitsOf(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
}

/** Which letters a name has, and above these bits its length: what tells at once that two names are not similar. */
function signature(text: ArrayLike<number>, length: number): number {
  let letters = 0;
  for (let i = 0; i < length; i++) letters |= 1 << (((text[i] ?? 0) & 31) % LETTER_BITS);
  return ((Math.min(length, LONGEST) << LETTER_BITS) | letters) >>> 0;
}

/** How many letters the first signature has and the second has not. */
function lettersOnlyIn(one: number, other: number): number {
  let bits = one & ~other & ((1 << LETTER_BITS) - 1);
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

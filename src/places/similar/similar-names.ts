import { createEditDistance } from '../../text/edit-distance.js';
import { ASCII } from '../../text/typography.js';
import type { GazetteerData } from '../data/gazetteer-file.js';
import { NameKind, type NameList } from '../data/name-list.js';
import { countryIndex, countryNamesBetween } from '../data/place-record.js';

/** A name, as its index in the name list, and the number of edits between it and a text. */
interface SimilarName {
  name: number;
  edits: number;
}

/** Maximum length of a text in UTF-16 code units. */
export const MAX_LENGTH = 40;
/** Bits for the letters of English and for word separators. All other bytes are mapped to these bits. */
const LETTER_BITS = 27;
/** The highest length that the other five bits can hold. Longer names have this length. */
const LONGEST = 31;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Returns the number of edits that are likely in a text of this length. */
export function allowedEdits(length: number): number {
  if (length < 6) return 1;
  return length < 10 ? 2 : 3;
}

/** A range of names that have the same beginning. */
interface Range {
  from: number;
  to: number;
  /** If set, only names with this third byte count. */
  third?: number;
}

/** Creates the search. Its cost is bounded: one pass over the signatures of the names, which exclude nearly all. */
export function createSimilarNames(data: GazetteerData, names: NameList) {
  const distance = createEditDistance();
  const decoder = new TextDecoder();
  /** Memoized signatures of names; 0 if not yet computed. Reading a name takes a hundred times as long. */
  const signatures = new Uint32Array(names.length);
  /** Memoized ranges of one or two English letters. Finding a range is the most expensive step. */
  const ranges = new Map<string, Range>();

  /**
   * Returns the names of places in some countries that are at most `allowed` edits from a folded text, except
   * `NameKind.code`. There are none for a text above `MAX_LENGTH`.
   */
  return (folded: string, codes: string[], allowed: number): SimilarName[] => {
    if (folded === '' || folded.length > MAX_LENGTH) return [];
    const isAscii = ASCII.test(folded);
    const letters = unitsOf(folded);
    const bytes = Buffer.byteLength(folded);
    const wanted = signatureOf(letters, bytes);
    // A letter has up to three bytes.
    const slack = isAscii ? allowed : 3 * allowed;
    const found: SimilarName[] = [];
    const beginnings = beginningsAlike(folded, isAscii);
    for (const code of codes) {
      const country = countryIndex(data, code);
      for (const { third, ...range } of beginnings) {
        for (const name of countryNamesBetween(data, country, range)) {
          const known = (signatures[name] ||= signatureOfName(name));
          const isPossible = isAscii
            ? canBeSimilar(known, wanted, allowed)
            : Math.abs((known >>> LETTER_BITS) - (wanted >>> LETTER_BITS)) <= slack;
          if (isPossible) compare(name, third);
        }
      }
    }
    return found;

    function compare(name: number, third: number | undefined): void {
      if (names.kind(name) === NameKind.code) return;
      const length = names.read(name);
      if (third !== undefined && (length < 3 || names.bytes[2] !== third)) return;
      if (Math.abs(length - bytes) > slack) return;
      const text = names.bytes.subarray(0, length);
      const edits = distance(letters, isAscii ? text : unitsOf(decoder.decode(text)), allowed);
      if (edits <= allowed) found.push({ name, edits });
    }
  };

  function signatureOfName(name: number): number {
    const length = names.read(name);
    return signatureOf(names.bytes.subarray(0, length));
  }

  function rangeOf(beginning: string): Range {
    const known = ranges.get(beginning);
    if (known) return known;
    const range = names.range(beginning);
    if (ASCII.test(beginning)) ranges.set(beginning, range);
    return range;
  }

  /** Returns the names with at most one edit in the first letters: typing errors there are rare. */
  function beginningsAlike(folded: string, isAscii: boolean): Range[] {
    const [a = '', b = '', c = ''] = folded;
    // The text itself, the text without its first letter, and the text with its first two letters swapped.
    const beginnings = new Set([a, b + c, b + a]);
    for (const letter of isAscii ? LETTERS : '') {
      if (letter !== a) beginnings.add(letter + a).add(letter + b + c);
    }
    return Array.from(beginnings, (beginning) => {
      // The third letter is compared later, so that fewer ranges are memoized.
      if (!isAscii || beginning.length < 3) return rangeOf(beginning);
      return { ...rangeOf(beginning.slice(0, 2)), third: beginning.charCodeAt(2) };
    });
  }
}

/** Returns the UTF-16 code units of a text. */
export function unitsOf(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
}

/** Returns whether two ASCII texts can be within a number of edits, by their signatures. */
export function canBeSimilar(known: number, wanted: number, allowed: number): boolean {
  const longer = (known >>> LETTER_BITS) - (wanted >>> LETTER_BITS);
  // An edit adds at most one letter and removes at most one. An edit that only adds a letter removes none.
  return (
    Math.abs(longer) <= allowed &&
    !hasMoreLetters(known & ~wanted, allowed + Math.min(0, longer)) &&
    !hasMoreLetters(wanted & ~known, allowed - Math.max(0, longer))
  );
}

/** Computes a bit set of the letters of a name, with its length in the upper bits. It excludes most names cheaply. */
export function signatureOf(text: Uint16Array | Uint8Array, length = text.length): number {
  let letters = 0;
  for (const unit of text) letters |= 1 << ((unit & 31) % LETTER_BITS);
  return ((Math.min(length, LONGEST) << LETTER_BITS) | letters) >>> 0;
}

/** Returns whether a signature has more than `limit` letters. */
function hasMoreLetters(signature: number, limit: number): boolean {
  let letters = signature & ((1 << LETTER_BITS) - 1);
  // Each step removes the lowest bit.
  for (; limit > 0; limit--) letters &= letters - 1;
  return letters !== 0;
}

import { createEditDistance } from '../../text/edit-distance.js';
import { ASCII } from '../../text/typography.js';
import type { GazetteerData } from '../data/gazetteer-file.js';
import { NameKind, type NameList } from '../data/name-list.js';
import { countryIndex, countryNames } from '../data/place-record.js';

/** A name, as its index in the name list, and the number of edits between it and a text. */
interface SimilarName {
  name: number;
  edits: number;
}

/** Maximum length of a text in UTF-16 code units. */
export const MAX_LENGTH = 40;
/** Bits for English letters and for word separators. All other bytes are mapped to these bits. */
const LETTER_BITS = 27;
/** The highest length that the other five bits can hold. Longer names have this length. */
const LONGEST = 31;
/** Maximum number of bytes of a letter. */
const MAX_LETTER_BYTES = 3;

type Letters = Uint8Array | Uint16Array;

/** Returns the number of edits that are likely in a text of this length. */
export function allowedEdits(length: number): number {
  if (length < 6) return 1;
  return length < 10 ? 2 : 3;
}

/** Creates the search. Its cost is bounded: one pass over signatures excludes nearly all names. */
export function createSimilarNames(data: GazetteerData, names: NameList) {
  const distance = createEditDistance();
  const decoder = new TextDecoder();
  /** Memoized signatures of names; 0: none yet. Reading a name takes a hundred times as long. */
  const signatures = new Uint32Array(names.length);

  function read(name: number): Uint8Array {
    return names.bytes.subarray(0, names.read(name));
  }

  /**
   * Returns names of places in some countries, at most `allowed` edits from a folded text, without
   * `NameKind.code`. There are none for a text above `MAX_LENGTH`.
   */
  return (folded: string, codes: string[], allowed: number): SimilarName[] => {
    if (folded === '' || folded.length > MAX_LENGTH) return [];
    const isAscii = ASCII.test(folded);
    const letters = unitsOf(folded);
    const wanted = signatureOf(letters, Buffer.byteLength(folded));
    const found: SimilarName[] = [];
    for (const code of codes) {
      for (const name of countryNames(data, countryIndex(data, code))) {
        const known = (signatures[name] ||= signatureOf(read(name)));
        const isPossible = isAscii
          ? canBeSimilar(known, wanted, allowed)
          : Math.abs(lengthOf(known) - lengthOf(wanted)) <= MAX_LETTER_BYTES * allowed;
        if (!isPossible || names.kind(name) === NameKind.code) continue;
        const bytes = read(name);
        const text = isAscii ? bytes : unitsOf(decoder.decode(bytes));
        const edits = beginsAlike(letters, text) ? distance(letters, text, allowed) : Infinity;
        if (edits <= allowed) found.push({ name, edits });
      }
    }
    return found;
  };
}

/** Returns whether two texts begin with at most one edit: typing errors there are rare. */
function beginsAlike(letters: Letters, text: Letters): boolean {
  const [a, b, c] = letters;
  if (text[0] === a || text[1] === a) return true;
  return (text[0] === b && text[1] === c) || (text[1] === b && text[2] === c);
}

function lengthOf(signature: number): number {
  return signature >>> LETTER_BITS;
}

/** Returns the UTF-16 code units of a text. */
export function unitsOf(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
}

/** Returns whether two ASCII texts can be within a number of edits, by their signatures. */
export function canBeSimilar(known: number, wanted: number, allowed: number): boolean {
  const longer = lengthOf(known) - lengthOf(wanted);
  // An edit adds and removes at most one letter. An edit that only adds a letter removes none.
  return (
    Math.abs(longer) <= allowed &&
    !hasMoreLetters(known & ~wanted, allowed + Math.min(0, longer)) &&
    !hasMoreLetters(wanted & ~known, allowed - Math.max(0, longer))
  );
}

/** Computes a bit set of letters, with the length in the upper bits, to exclude names cheaply. */
export function signatureOf(text: Letters, length = text.length): number {
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

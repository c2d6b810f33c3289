/** The rules that the name of a city or country must keep. Pure text; knows no place. */

/** Longest accepted name, in Unicode code points after cleaning. */
export const MAX_NAME_LENGTH = 100;

export type NameFault = 'blank' | 'too_long' | 'invalid_characters';
export type CleanName = { ok: true; name: string } | { ok: false; fault: NameFault };

/** Control characters, line and paragraph separators, and the byte-order mark that trim() eats. */
const CONTROL = /[\p{Cc}\u2028\u2029\ufeff]/u;
/** Letters, marks, space, hyphens (also the Armenian and Hebrew ones), apostrophes, period, comma. */
const ALLOWED = /^[\p{L}\p{M} \-\u2010\u2011\u058a\u05be'’ʻ.,]*$/u;

/** Texts that are not names although each of their characters is allowed in one. */
const PATTERNS = [
  /\.\./,
  /--/,
  /['’ʻ] ?(?:or|and) ?['’ʻ]/i,
  wholeWords(
    'union(?: all)? select',
    'select .* from',
    'insert into',
    'delete from',
    '(?:drop|alter|create|truncate) (?:table|database)',
    'update .* set',
    'exec(?:ute)? (?:xp|sp)',
    'or true',
    'or null',
  ),
];

function wholeWords(...phrases: string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{M}])(?:${phrases.join('|')})(?![\\p{L}\\p{M}])`, 'iu');
}

/**
 * No longer text can become a name of 100 code points: NFC makes one code point of at most four, and
 * a code point is at most two UTF-16 units. A longer one is refused before it is normalised, which
 * takes quadratic time for a long run of combining marks.
 */
const MAX_RAW_LENGTH = 4 * 2 * MAX_NAME_LENGTH;

/**
 * Trims, collapses inner runs of spaces and normalises to NFC; then checks length, characters and
 * patterns. A control character anywhere makes the value invalid: it is never silently removed.
 */
export function cleanName(value: string): CleanName {
  if (CONTROL.test(value)) return { ok: false, fault: 'invalid_characters' };
  const raw = value.trim().replace(/ {2,}/g, ' ');
  if (raw === '') return { ok: false, fault: 'blank' };
  if (raw.length > MAX_RAW_LENGTH) return { ok: false, fault: 'too_long' };
  const name = raw.normalize('NFC');
  // A name with no more UTF-16 units than that has no more code points either.
  if (name.length > MAX_NAME_LENGTH && Array.from(name).length > MAX_NAME_LENGTH) {
    return { ok: false, fault: 'too_long' };
  }
  if (!ALLOWED.test(name) || PATTERNS.some((pattern) => pattern.test(name))) {
    return { ok: false, fault: 'invalid_characters' };
  }
  return { ok: true, name };
}

/** The rules for the text of a city's or country's name. They do not depend on the gazetteer. */

/** Length of the longest accepted name, in Unicode code points after cleaning. */
export const MAX_NAME_LENGTH = 100;

export type NameFault = 'blank' | 'too_long' | 'invalid_characters';
export type CleanName = { ok: true; name: string } | { ok: false; fault: NameFault };

/** Control characters, line and paragraph separators, and the byte order mark, which trim() would remove. */
const CONTROL = /[\p{Cc}\u2028\u2029\ufeff]/u;
/** Letters, marks, space, hyphens (also the Armenian and Hebrew ones), apostrophes, period, comma. */
const ALLOWED = /^[\p{L}\p{M} \-\u2010\u2011\u058a\u05be'’ʻ.,]*$/u;

/** Texts that are not names, although each of their characters is allowed. */
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
 * Length of the longest text that can become a name, in UTF-16 code units: NFC combines at most four code points into
 * one, and a code point has at most two code units. A longer text is rejected before its normalization, which takes
 * quadratic time for a long sequence of combining marks.
 */
const MAX_RAW_LENGTH = 4 * 2 * MAX_NAME_LENGTH;

/**
 * Trims a name, collapses spaces, and normalizes it to NFC. Then checks length, characters, and patterns. A control
 * character makes the name invalid; it is not removed.
 */
export function cleanName(value: string): CleanName {
  if (CONTROL.test(value)) return { ok: false, fault: 'invalid_characters' };
  const raw = value.trim().replace(/ {2,}/g, ' ');
  if (raw === '') return { ok: false, fault: 'blank' };
  if (raw.length > MAX_RAW_LENGTH) return { ok: false, fault: 'too_long' };
  const name = raw.normalize('NFC');
  if (Array.from(name).length > MAX_NAME_LENGTH) return { ok: false, fault: 'too_long' };
  if (!ALLOWED.test(name) || PATTERNS.some((pattern) => pattern.test(name))) {
    return { ok: false, fault: 'invalid_characters' };
  }
  return { ok: true, name };
}

/** The rules for the text of a city's or country's name. They do not depend on the gazetteer. */
import { plainText, visibleText } from './typography.js';

/** Length of the longest accepted name, in Unicode code points of its plain form. */
export const MAX_NAME_LENGTH = 100;

export interface CleanName {
  /** As the client sees it, for responses and recent searches. */
  shown: string;
  /** In plain typography, for lookups. */
  plain: string;
}

/** The result of `cleanName`. `found`: the first character, or phrase, that is not allowed. */
type NameCheck =
  | { ok: true; name: CleanName }
  | { ok: false; fault: 'blank' | 'too_long' }
  | { ok: false; fault: 'invalid_characters'; found: string };

/** Control characters, line and paragraph separators. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** Letters, marks, and the punctuation of names, in plain typography. */
const ALLOWED = /^[\p{L}\p{M} \-'.,()]*$/u;

const LETTER = /[\p{L}\p{M}]/u;

/** Texts that are not names, although each of their characters is allowed. */
const PATTERNS = [
  /\.\./,
  /--/,
  /' ?(?:or|and) ?'/i,
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
 * Length of the longest text that can become a name, in UTF-16 code units: NFC combines at most
 * four code points of two units. Normalizing a longer text can take quadratic time.
 */
const MAX_RAW_LENGTH = 4 * 2 * MAX_NAME_LENGTH;

/**
 * Normalizes a name: the shown form is trimmed and NFC, with single spaces and without invisible
 * characters. Then checks the length, characters, and patterns of its plain form. A control
 * character makes the name invalid; it is not removed.
 */
export function cleanName(value: string): NameCheck {
  if (CONTROL.test(value)) return invalid(value);
  const visible = visibleText(value);
  if (visible.length > MAX_RAW_LENGTH) return { ok: false, fault: 'too_long' };
  const shown = visible.normalize('NFC');
  const plain = plainText(shown).trim();
  if (plain === '') return { ok: false, fault: 'blank' };
  if (Array.from(plain).length > MAX_NAME_LENGTH) return { ok: false, fault: 'too_long' };
  if (!ALLOWED.test(plain)) return invalid(shown);
  for (const pattern of PATTERNS) {
    const [phrase] = pattern.exec(plain) ?? [];
    if (phrase === undefined) continue;
    return { ok: false, fault: 'invalid_characters', found: `'${phrase}'` };
  }
  return { ok: true, name: { shown, plain } };
}

/** Describes the first forbidden character; of a far too long text, the first control character. */
function invalid(text: string): NameCheck {
  const [control = ''] = CONTROL.exec(text) ?? [];
  const character = text.length > MAX_RAW_LENGTH ? control : firstNotAllowed(text);
  return { ok: false, fault: 'invalid_characters', found: describeCharacter(character) };
}

function firstNotAllowed(text: string): string {
  for (const character of text) {
    if (LETTER.test(character)) continue;
    if (CONTROL.test(character) || !ALLOWED.test(plainText(character))) return character;
  }
  return '';
}

/** Characters that are invisible alone, or change how the rest of a message looks. */
const WITHOUT_FORM = /[\p{C}\p{M}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/** Returns a character with its code point, `'<' (U+003C)`, or only that if it is invisible. */
function describeCharacter(character: string): string {
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? '';
  return WITHOUT_FORM.test(character) ? `U+${code}` : `'${character}' (U+${code})`;
}

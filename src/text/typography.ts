/**
 * Typography: phones, browsers, and offices write other characters than those on a keyboard, and people do not see the
 * difference. Names are validated and looked up in plain typography, and are shown as people typed them.
 */

/** Format characters without a visible form: soft hyphen, spaces and joiners without width, marks of direction. */
const INVISIBLE_CHARACTERS = '\\u00ad\\u061c\\u200b-\\u200f\\u2060\\ufeff';
/**
 * Full-width forms of ASCII, and half-width forms of katakana and Hangul. The rest of the block is signs such as `￥`,
 * which names do not have in any width.
 */
const CHARACTERS_OF_OTHER_WIDTH = '\\uff01-\\uffdc';
/** Characters that stand for an ordinary one, after NFC. `，` and `＇` are full-width forms. */
const STAND_INS: [typed: string, ordinary: string][] = [
  // Quotation marks, modifier letters, accents without a letter, and the signs of Hebrew and Armenian.
  ['`\\u00b4\\u02b9\\u02bb\\u02bc\\u055a\\u05f3\\u05f4\\u2018\\u2019\\u201b', "'"],
  // The hyphens of Armenian and Hebrew, hyphens and dashes, the minus sign.
  ['\\u058a\\u05be\\u2010-\\u2015\\u2212', '-'],
  ['\\u060c\\u3001', ','],
  // The sign after abbreviations in Devanagari.
  ['\\u0970', '.'],
  // Middle dots between foreign words, the signs after syllables in Tibetan, "and" in Sindhi.
  ['\\u00b7\\u30fb\\u06fd\\u0f0b-\\u0f0d', ' '],
];

const INVISIBLE = new RegExp(`[${INVISIBLE_CHARACTERS}]`, 'g');
const OTHER_WIDTH = new RegExp(`[${CHARACTERS_OF_OTHER_WIDTH}]+`, 'g');
const REPLACEMENTS = STAND_INS.map(([typed, ordinary]) => ({
  typed: new RegExp(`[${typed}]`, 'g'),
  ordinary,
}));
const SPACES = /\p{Zs}+/gu;
/** Characters that are not in plain typography, for a fast path. */
const UNUSUAL = new RegExp(
  `(?! )\\p{Zs}| {2}|[${INVISIBLE_CHARACTERS}${CHARACTERS_OF_OTHER_WIDTH}${STAND_INS.map(([typed]) => typed).join('')}]`,
  'u',
);
/** Texts of ASCII in plain typography, with spaces only between words: a faster path. */
const ASCII_NAME = /^[A-Za-z'(),.-]+(?: [A-Za-z'(),.-]+)*$/;

/** Texts that have only ASCII characters. */
export const ASCII = /^[\0-\x7f]*$/;

/** Returns a text without invisible characters, with one ordinary space for each run of spaces, and none at its ends. */
export function visibleText(text: string): string {
  if (ASCII_NAME.test(text)) return text;
  return text.replace(INVISIBLE, '').replace(SPACES, ' ').trim();
}

/**
 * Returns a text in plain typography, which has one character for all that look alike: apostrophe, hyphen, comma, space,
 * and the ordinary width of each letter. The result is NFC. Spaces at its ends are one space.
 */
export function plainText(text: string): string {
  if (ASCII_NAME.test(text)) return text;
  const composed = text.normalize('NFC');
  if (!UNUSUAL.test(composed)) return composed;
  let plain = composed
    .replace(INVISIBLE, '')
    .replace(OTHER_WIDTH, (forms) => forms.normalize('NFKC'))
    .normalize('NFC');
  for (const { typed, ordinary } of REPLACEMENTS) plain = plain.replace(typed, ordinary);
  return plain.replace(SPACES, ' ');
}

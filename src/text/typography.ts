/**
 * Typography: phones, browsers, and offices write other characters than those on a keyboard. Names
 * are validated and looked up in plain typography, and shown as people typed them.
 */

/** Format characters without a visible form: soft hyphen, zero-width spaces, direction marks. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u2060\ufeff]/g;
/**
 * Full-width forms of ASCII, and half-width forms of katakana and Hangul. The rest of the block is
 * signs such as `￥`, which names do not have in any width.
 */
const OTHER_WIDTH = /[\uff01-\uffdc]+/g;
const SPACES = /\p{Zs}+/gu;
/** Characters that stand for an ordinary one, after NFC. `，` and `＇` are full-width forms. */
const REPLACEMENTS: [typed: RegExp, ordinary: string][] = [
  // Quotation marks, modifier letters, accents without a letter, Hebrew and Armenian signs.
  [/[`\u00b4\u02b9\u02bb\u02bc\u055a\u05f3\u05f4\u2018\u2019\u201b]/g, "'"],
  // The hyphens of Armenian and Hebrew, hyphens and dashes, the minus sign.
  [/[\u058a\u05be\u2010-\u2015\u2212]/g, '-'],
  [/[\u060c\u3001]/g, ','],
  // The sign after abbreviations in Devanagari.
  [/\u0970/g, '.'],
  // Middle dots between foreign words, the signs after syllables in Tibetan, "and" in Sindhi.
  [/[\u00b7\u30fb\u06fd\u0f0b-\u0f0d]/g, ' '],
  [SPACES, ' '],
];
/** Most names are in plain typography: Latin, Cyrillic, Chinese letters, and punctuation. */
const COMMON = "A-Za-z\\u00c0-\\u024f\\u0400-\\u0482\\u048a-\\u04ff\\u4e00-\\u9fff'(),.-";
/** Texts in plain typography, with spaces only between words: a fast path. */
const PLAIN_NAME = new RegExp(`^[${COMMON}]+(?: [${COMMON}]+)*$`);

export const ASCII = /^[\0-\x7f]*$/;

/** Returns a text without invisible characters, with single spaces, and none at its ends. */
export function visibleText(text: string): string {
  if (PLAIN_NAME.test(text)) return text;
  return text.replace(INVISIBLE, '').replace(SPACES, ' ').trim();
}

/**
 * Returns a text with one character for all that look alike: apostrophe, hyphen, comma, space, and
 * the ordinary width of each letter. The result is NFC. Spaces at its ends are one space.
 */
export function plainText(text: string): string {
  if (PLAIN_NAME.test(text)) return text;
  let plain = text
    .replace(INVISIBLE, '')
    .replace(OTHER_WIDTH, (forms) => forms.normalize('NFKC'))
    .normalize('NFC');
  for (const [typed, ordinary] of REPLACEMENTS) plain = plain.replace(typed, ordinary);
  return plain;
}

/**
 * Folds names: different spellings of one name become the same text, and different names almost
 * never do. The build folds the gazetteer's keys, so raise `FORMAT_VERSION` after any change here.
 */
import { ASCII, plainText } from '../../text/typography.js';

/** The apostrophe, its substitutes in romanizations, the Arabic sign that only lengthens a word. */
const NOT_TYPED = /['ʽʾʿˈ\u0640]/g;
/**
 * Accents, Arabic vowel marks, Hebrew points. The vowel signs of Indic and Thai scripts and the
 * voicing marks of kana are also marks in Unicode, but they distinguish names, so they stay.
 */
const ACCENTS =
  /(?![\u3099\u309a])(?=[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Cyrillic}\p{Script=Syriac}])\p{Mn}/gu;
/**
 * The syllable "ga" after a kanji, in NFKD, which people write in five ways: 龍ケ崎, 龍ヶ崎, 龍が崎,
 * 六ヵ所, 六カ所. It is not followed by kana, which would make it a part of a word. The end of the
 * text counts too: people type from the start.
 */
const SYLLABLE_GA =
  /(?<=\p{Script=Han})(?:[\u304b\u30ab]\u3099|[\u30ab\u30b1\u30f5\u30f6](?!\u3099))(?![\p{Script=Hiragana}\p{Script=Katakana}\u30fc])/gu;
/** The syllable "tsu" after a kanji: 四ツ谷, 四ッ谷. */
const SYLLABLE_TSU =
  /(?<=\p{Script=Han})[\u3063\u30c3](?![\p{Script=Hiragana}\p{Script=Katakana}\u30fc])/gu;
/** Dots under letters of Indic scripts. They are optional. */
const NUKTAS = /\u093c|\u09bc|\u0a3c|\u0abc|\u0b3c/g;
const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/u;
/**
 * Texts that folding does not change, for a fast path: one lower-case word in Latin letters, in
 * Cyrillic letters without й (which is и with an accent), or in Chinese characters without 臺 and 髙.
 */
export const PLAIN = /^[a-zа-ик-я\u4e00-\u81f9\u81fb-\u9ad8\u9ada-\u9fff]+$/;
/** The second fast path: the only special characters of ASCII are apostrophes and separators. */
const ASCII_APOSTROPHES = /['`]/g;
const ASCII_SEPARATORS = /[^a-z0-9]+/;

/** Letters without a decomposition in Unicode, and what people type instead. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ə: 'e',
  ɓ: 'b',
  ɗ: 'd',
  ƙ: 'k',
  ς: 'σ',
  // Persian and Urdu keyboards produce other code points for the same Arabic letters.
  ی: 'ي',
  ى: 'ي',
  ے: 'ي',
  ک: 'ك',
  ة: 'ه',
  ہ: 'ه',
  ھ: 'ه',
  ۀ: 'ه',
  ٱ: 'ا',
  // Other forms of the same Chinese character, in the names of the same places.
  臺: '台',
  髙: '高',
  﨑: '崎',
};
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join('')}\u30a1-\u30f6]`, 'g');

/** Words that people write in full or abbreviated: Saint Louis, St. Louis. */
export const SHORT_WORDS: Partial<Record<string, string>> = {
  saint: 'st',
  sainte: 'ste',
  mount: 'mt',
  fort: 'ft',
};
const SHORT_WORD_OF = new Map(Object.entries(SHORT_WORDS));
const LONG_WORD_OF = new Map(Object.entries(SHORT_WORDS).map(([long, short]) => [short, long]));
/** The Arabic article is optional: الخرطوم, خرطوم. */
const ARABIC_ARTICLE = /^ال(?=\p{L}{3})/u;

/**
 * Folds a name: NFKD, lower case, without accents, one spelling for each letter, and without
 * spaces, hyphens, apostrophes, and periods (`St. Louis`, `Saint-Louis` → `stlouis`).
 *
 * @returns the folded text; empty if the name has no letter and no digit
 */
export function fold(name: string): string {
  const lower = name.toLowerCase();
  if (PLAIN.test(lower) && !SHORT_WORD_OF.has(lower)) return lower;
  return foldedWords(name).map(shortWord).join('');
}

/** Splits a name into folded words, not abbreviated. After a last space, the last word is empty. */
export function foldedWords(name: string): string[] {
  if (ASCII.test(name)) {
    return name.replace(ASCII_APOSTROPHES, '').toLowerCase().split(ASCII_SEPARATORS);
  }
  const letters = plainText(name)
    .replace(NOT_TYPED, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTS, '')
    .replace(NUKTAS, '')
    .replace(SYLLABLE_GA, '\u304b\u3099')
    .replace(SYLLABLE_TSU, '\u3064')
    .replace(SPECIAL, (letter) => LETTERS[letter] ?? toHiragana(letter));
  return letters.split(SEPARATORS);
}

/** Removes the Arabic article from a folded word, and abbreviates it if it has an abbreviation. */
export function shortWord(word: string): string {
  if (word.startsWith('ال')) return word.replace(ARABIC_ARTICLE, '');
  return SHORT_WORD_OF.get(word) ?? word;
}

/** Folds the beginning of a name whose last word is incomplete, as the build's `typed-forms.ts`. */
export function foldTyped(text: string): string {
  const words = foldedWords(text);
  const isWhole = words.at(-1) === '';
  if (isWhole) words.pop();
  const last = words.pop() ?? '';
  return [...words.map(shortWord), isWhole ? longWord(last) : last].join('');
}

/** Returns the full word of an abbreviated word. */
export function longWord(word: string): string {
  return LONG_WORD_OF.get(word) ?? word;
}

/** The Unicode blocks of katakana and hiragana have the same order, 0x60 apart. */
function toHiragana(katakana: string): string {
  return String.fromCharCode(katakana.charCodeAt(0) - 0x60);
}

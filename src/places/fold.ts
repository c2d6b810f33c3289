/**
 * Folding of names: two spellings of one name give one text, two different names (almost) never.
 * The gazetteer's keys are folded when it is built and questions are folded when they are asked, so
 * any change here asks for a new `FORMAT_VERSION`.
 */

/** Apostrophes and what stands for one, also in another normal form; some are letters to Unicode. */
const APOSTROPHES = /['`´‘’‛ʹʻʼʽʾʿˈ\u0374\u1fef\u1ffd]/g;
/** Not written by most people, and never the only difference between two names. */
const INVISIBLE = /[\u00ad\u0640\u200b-\u200f\u2060\ufeff]/g;
/**
 * Accents, Arabic vowel marks, Hebrew points. The vowel signs of the Indic and Thai scripts and the
 * voicing marks of kana are marks to Unicode too, but they tell names apart: kept.
 */
const ACCENTS =
  /(?![\u3099\u309a])(?=[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Cyrillic}\p{Script=Syriac}])\p{Mn}/gu;
/** Dots under letters of the Indic scripts, written or left out at will. */
const NUKTAS = /\u093c|\u09bc|\u0a3c|\u0abc|\u0b3c/g;
const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/u;
/**
 * The common cases, for which the lines above have nothing to do: a word in small Latin or Cyrillic letters
 * without й, which is и with an accent, and a name in Chinese characters.
 */
export const PLAIN = /^[a-zа-ик-я\u4e00-\u9fff]+$/;
/** The next most common case: of the above, ASCII has apostrophes and separators alone. */
const ASCII = /^[\0-\x7f]*$/;
const ASCII_APOSTROPHES = /['`]/g;
const ASCII_SEPARATORS = /[^a-z0-9]+/;

/** Letters that have no decomposition in Unicode and are typed as others. */
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
  // Persian and Urdu keyboards write other code points for the same Arabic letters.
  ی: 'ي',
  ى: 'ي',
  ے: 'ي',
  ک: 'ك',
  ة: 'ه',
  ہ: 'ه',
  ھ: 'ه',
  ۀ: 'ه',
  ٱ: 'ا',
};
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join('')}\u30a1-\u30f6]`, 'g');

/** Words that are written out or shortened at will: St. Louis, Saint Louis. */
export const SHORT_WORDS: Partial<Record<string, string>> = {
  saint: 'st',
  sainte: 'ste',
  mount: 'mt',
  fort: 'ft',
};
const SHORT_WORD_OF = new Map(Object.entries(SHORT_WORDS));
/** The common case's answer to `SHORT_WORDS`. */
const ABBREVIATED = /^(?:sainte?|mount|fort)$/;
/** The Arabic article comes and goes: الخرطوم, خرطوم. */
const ARABIC_ARTICLE = /^ال(?=\p{L}{3})/u;

/**
 * Folds a name: NFKD, lower case, no accents, one spelling for letters that have several, and
 * neither spaces, hyphens, apostrophes nor periods (`St. Louis`, `Saint-Louis` → `stlouis`).
 *
 * @returns the folded text; empty when the name holds no letter
 */
export function fold(name: string): string {
  const lower = name.toLowerCase();
  if (PLAIN.test(lower) && !ABBREVIATED.test(lower)) return lower;
  return foldedWords(name).map(shortWord).join('');
}

/** The words of a name, folded letter by letter and not shortened. The last is empty after a space. */
export function foldedWords(name: string): string[] {
  if (ASCII.test(name)) {
    return name.replace(ASCII_APOSTROPHES, '').toLowerCase().split(ASCII_SEPARATORS);
  }
  const letters = name
    .replace(APOSTROPHES, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(INVISIBLE, '')
    .replace(ACCENTS, '')
    .replace(NUKTAS, '')
    .replace(SPECIAL, (letter) => LETTERS[letter] ?? toHiragana(letter));
  return letters.split(SEPARATORS);
}

/** A folded word without the Arabic article, and in its short form if it has one. */
export function shortWord(word: string): string {
  if (word.startsWith('ال')) return word.replace(ARABIC_ARTICLE, '');
  return SHORT_WORD_OF.get(word) ?? word;
}

/** Katakana and hiragana stand in two Unicode blocks with one order, 0x60 apart. */
function toHiragana(katakana: string): string {
  return String.fromCharCode(katakana.charCodeAt(0) - 0x60);
}

import { fold } from '../../src/places/fold.js';

/** Countries that write in Cyrillic letters, and Greece. */
const COUNTRIES = new Set('RU UA BY BG RS MK ME BA KZ KG TJ MN GR CY'.split(' '));
const LETTERS: Record<string, string> = {
  ...pairs('абвгдезийклмнопрстуфхцыэ', 'a b v g d e z i y k l m n o p r s t u f kh ts y e'),
  ...pairs('жчшщюяьъёіїєґ', 'zh ch sh shch yu ya   yo i yi ye g'),
  ...pairs('ђјљњћџәғқңөұүһ', 'dj j lj nj c dz a gh q ng o u u h'),
  ...pairs('αβγδεζηθικλμνξοπρστυφχψω', 'a v g d e z i th i k l m n x o p r s t y f ch ps o'),
};
const NATIVE = /^[\p{sc=Cyrillic}\p{sc=Greek} -]+$/u;
/** So much of the letters may differ: romanisations do. */
const DIFFERENCE = 0.34;

/**
 * Whether a name is the place's own, in the letters of its country: Ставрополь is Stavropol', and is a former name of
 * Tolyatti.
 */
export function isNativeName(name: string, english: string, country: string): boolean {
  if (!COUNTRIES.has(country) || !NATIVE.test(name)) return false;
  const latin = Array.from(fold(name), (letter) => LETTERS[letter] ?? letter).join('');
  const own = fold(english);
  return distance(latin, own) <= DIFFERENCE * Math.max(latin.length, own.length);
}

function pairs(letters: string, latin: string): Record<string, string> {
  const texts = latin.split(' ');
  return Object.fromEntries(Array.from(letters, (letter, i) => [letter, texts[i] ?? '']));
}

/** Levenshtein's distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(same, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

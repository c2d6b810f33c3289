import { createEditDistance } from '../../src/text/edit-distance.js';
import { fold } from '../../src/places/names/fold.js';
import { unitsOf } from '../../src/places/similar/similar-names.js';

/** Countries with Cyrillic or Greek script. */
const COUNTRIES = new Set('RU UA BY BG RS MK ME BA KZ KG TJ MN GR CY'.split(' '));
const LETTERS: Record<string, string> = {
  ...pairs('абвгдезийклмнопрстуфхцыэ', 'a b v g d e z i y k l m n o p r s t u f kh ts y e'),
  ...pairs('жчшщюяьъёіїєґ', 'zh ch sh shch yu ya   yo i yi ye g'),
  ...pairs('ђјљњћџәғқңөұүһ', 'dj j lj nj c dz a gh q ng o u u h'),
  ...pairs('αβγδεζηθικλμνξοπρστυφχψω', 'a v g d e z i th i k l m n x o p r s t y f ch ps o'),
};
const NATIVE = /^[\p{sc=Cyrillic}\p{sc=Greek} -]+$/u;
/** The maximum share of letters that may differ, because there are several romanizations. */
const DIFFERENCE = 0.34;
const distance = createEditDistance();

/**
 * Returns whether a name is the main name of a place in the script of its country: Ставрополь is
 * the main name of Stavropol', but a former name of Tolyatti.
 */
export function isNativeName(name: string, english: string, country: string): boolean {
  if (!COUNTRIES.has(country) || !NATIVE.test(name)) return false;
  const latin = Array.from(fold(name), (letter) => LETTERS[letter] ?? letter).join('');
  const own = fold(english);
  const allowed = DIFFERENCE * Math.max(latin.length, own.length);
  return distance(unitsOf(latin), unitsOf(own), allowed) <= allowed;
}

function pairs(letters: string, latin: string): Record<string, string> {
  const texts = latin.split(' ');
  return Object.fromEntries(Array.from(letters, (letter, i) => [letter, texts[i] ?? '']));
}

import { PLAIN, SHORT_WORDS, foldedWords, shortWord } from '../names/fold.js';

/** Words that have an abbreviation, and the abbreviations. */
const HAS_FORMS = new Set(Object.entries(SHORT_WORDS).flat());
/** The full words by their abbreviations: "saint" also finds St. Louis. */
const LONG_WORDS = new Map(Object.entries(SHORT_WORDS).map(([long, short]) => [short, long]));

/**
 * Returns the folded forms of a name such that one of them begins with whatever a user has typed of it. Folding
 * abbreviates complete words, but the word that the user types is not complete yet. So each word that has an
 * abbreviation adds a form: "Fort Saint John" is `ftstjohn`, `fortsaintjohn`, and `ftsaintjohn`.
 */
export function typedForms(name: string): string[] {
  const lower = name.toLowerCase();
  if (PLAIN.test(lower) && !HAS_FORMS.has(lower)) return [lower];
  const words = foldedWords(name);
  if (!words.some((word) => HAS_FORMS.has(word) || shortWord(word) !== word))
    return [words.join('')];
  const short = words.map(shortWord);
  const long = words.map(longWord);
  const forms = new Set([short.join('')]);
  for (const [i, word] of long.entries()) {
    if (word !== short[i]) forms.add([...short.slice(0, i), ...long.slice(i)].join(''));
  }
  return [...forms];
}

/** Folds the beginning of a name for a search in `typedForms`: all words but the last are complete. */
export function foldTyped(text: string): string {
  const words = foldedWords(text);
  const isWhole = words.at(-1) === '';
  if (isWhole) words.pop();
  const last = words.pop() ?? '';
  return [...words.map(shortWord), isWhole ? longWord(last) : last].join('');
}

/** Returns the full word of an abbreviated word. */
export function longWord(word: string): string {
  return LONG_WORDS.get(word) ?? word;
}

import { SHORT_WORDS, foldedWords, shortWord } from '../names/fold.js';

/** The full words by their abbreviations: "saint" also finds St. Louis. */
const LONG_WORDS = new Map(Object.entries(SHORT_WORDS).map(([long, short]) => [short, long]));

/** Folds the beginning of a name for a search in the forms that `tools/gazetteer/typed-forms.ts` lists: all words but the last are complete. */
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

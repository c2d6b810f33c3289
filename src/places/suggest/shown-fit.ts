import { foldedWords, longWord, shortWord } from '../names/fold.js';

/** It begins a later word: "hag", The Hague. Higher: "salt " is As Salt before Salt Lake City. */
const LATER_WORD = 1 / 2;
/**
 * The shown name does not begin with the text, which is one word. Lower: "kob" suggests Kobryn
 * before Copenhagen. Higher: "portl" suggests Port Louis before Portland in Maine.
 */
const NOT_SHOWN = 1 / 12;
/**
 * The same for several words, because people do not type a space within a word: "san a" does not
 * mean Sanaa. Also the factor if a space completes the last word of the text, but not of the shown
 * name: "san " does not mean Santiago.
 */
const OTHER_WORDS = 1 / 1024;

/** How well the name that people see of a place fits a typed text. */
interface ShownFit {
  /** The score of the place is multiplied by it. 1: the shown name begins with the text. */
  factor: number;
  /** Whether the shown name, or one of its later words, begins with the text. */
  isShown: boolean;
}

/** Compares shown names with a text, word by word: "portl" does not begin Port Louis. */
export function createShownFit(text: string): (shown: string) => ShownFit {
  const typed = foldedWords(text);
  const isWhole = typed.at(-1) === '';
  if (isWhole) typed.pop();
  const last = typed.pop() ?? '';
  const complete = typed.map(shortWord);
  const notShown = complete.length > 0 ? OTHER_WORDS : NOT_SHOWN;
  const factorOf = (words: string[], isLast: (word: string) => boolean): number => {
    const first = words.findIndex(
      (_, at) =>
        complete.every((word, i) => word === shortWord(words[at + i] ?? '')) &&
        isLast(words[at + complete.length] ?? ''),
    );
    if (first < 0) return notShown;
    return first === 0 ? 1 : LATER_WORD;
  };
  return (shown) => {
    const words = foldedWords(shown);
    const begun = factorOf(words, (word) => begins(word, last));
    const isShown = begun > notShown;
    const whole = isWhole ? factorOf(words, (word) => shortWord(word) === shortWord(last)) : begun;
    return { factor: whole > notShown || !isWhole ? whole : begun * OTHER_WORDS, isShown };
  };
}

/** "Saint" and "St." begin with "s", "sain", and "st". */
function begins(word: string, typed: string): boolean {
  return [word, shortWord(word), longWord(word)].some((form) => form.startsWith(typed));
}

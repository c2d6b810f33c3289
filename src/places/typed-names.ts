import { PLAIN, SHORT_WORDS, foldedWords, shortWord } from './fold.js';

/** Words with a longer or a shorter form. */
const HAS_FORMS = new Set(Object.entries(SHORT_WORDS).flat());
/** The long forms of words, by their short ones: St. Louis is also found by "saint". */
const LONG_WORDS = new Map(Object.entries(SHORT_WORDS).map(([long, short]) => [short, long]));

/**
 * Every beginning of a name that people may have typed, to its end. Folding shortens whole words; the
 * word that is being typed is not whole yet. So there is a form for each such word: "Fort Saint John" is
 * `ftstjohn`, `fortsaintjohn` and `ftsaintjohn`.
 */
export function typedForms(name: string): string[] {
  const lower = name.toLowerCase();
  if (PLAIN.test(lower) && !HAS_FORMS.has(lower)) return [lower];
  const words = foldedWords(name);
  const short = words.map(shortWord);
  const hasOneForm = words.every((word, i) => word === short[i] && !LONG_WORDS.has(word));
  if (hasOneForm) return [short.join('')];
  const long = words.map(longWord);
  const forms = new Set([short.join('')]);
  for (const [i, word] of long.entries()) {
    if (word !== short[i]) forms.add([...short.slice(0, i), ...long.slice(i)].join(''));
  }
  return [...forms];
}

/** The form in which a beginning of a name is looked up: all its words but the last are whole. */
export function foldTyped(text: string): string {
  const words = foldedWords(text);
  const isWhole = words.at(-1) === '';
  if (isWhole) words.pop();
  const last = words.pop() ?? '';
  return [...words.map(shortWord), isWhole ? longWord(last) : last].join('');
}

function longWord(word: string): string {
  return LONG_WORDS.get(word) ?? word;
}

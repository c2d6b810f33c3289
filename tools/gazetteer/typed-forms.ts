import {
  PLAIN,
  SHORT_WORDS,
  foldedWords,
  longWord,
  shortWord,
} from '../../src/places/names/fold.js';

/** Words that have an abbreviation, and the abbreviations. */
const HAS_FORMS = new Set(Object.entries(SHORT_WORDS).flat());

/**
 * Returns the folded forms of a name such that one of them begins with whatever a user has typed of
 * it. Folding abbreviates complete words, but a word is incomplete while it is typed. So each word
 * with an abbreviation adds a form: "Fort Saint John" is `ftstjohn`, `fortsaintjohn`, and
 * `ftsaintjohn`.
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

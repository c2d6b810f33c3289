import { displayName, populationOf } from '../data/place-record.js';
import { foldedWords, longWord, shortWord } from '../names/fold.js';
import type { PlaceData } from '../place-data.js';
import type { ScoredName } from './name-search.js';

/** How well the name that people see of a place fits a typed text. */
interface ShownFit {
  /** The score of the place is multiplied by it. 1: the shown name begins with the text; otherwise less. */
  factor: number;
  /** Whether the shown name, or one of its later words, begins with the text. */
  isShown: boolean;
}

/** Maximum number of names that are compared. With fewer than 40, `npm run quality:places` finds worse suggestions. */
const MAX_COMPARED = 60;
/** Minimum population of a large city. Lower: "peki" suggests Pekin in Illinois before Beijing. */
export const LARGE_CITY_POPULATION = 100_000;
/** The text begins a later word of the shown name: "hag" for The Hague. Higher: "salt " suggests As Salt before Salt Lake City. */
const LATER_WORD = 1 / 2;
/**
 * The shown name does not begin with the text, which is one word. Lower: "kob" suggests Kobryn before Copenhagen. Higher:
 * "portl" suggests Port Louis before Portland in Maine.
 */
const NOT_SHOWN = 1 / 12;
/** The same for several words, because people do not type a space within a word: "san a" does not mean Sanaa. */
const WORDS_NOT_SHOWN = 1 / 1024;
/** A space at the end completes the last word of the text, but not of the shown name: "san " does not mean Santiago. */
const LONGER_WORD = 1 / 1024;

/** Compares shown names with a text. Words must be separate in both: "portl" does not begin Port Louis. */
function createShownFit(text: string): (shown: string) => ShownFit {
  const typed = foldedWords(text);
  const isWhole = typed.at(-1) === '';
  if (isWhole) typed.pop();
  const last = typed.pop() ?? '';
  const complete = typed.map(shortWord);
  const notShown = complete.length > 0 ? WORDS_NOT_SHOWN : NOT_SHOWN;

  return (shown) => {
    const words = foldedWords(shown);
    const incomplete = factorOf(words, (word) => begins(word, last));
    const isShown = incomplete > notShown;
    if (!isWhole) return { factor: incomplete, isShown };
    const whole = factorOf(words, (word) => shortWord(word) === shortWord(last));
    return { factor: whole > notShown ? whole : incomplete * LONGER_WORD, isShown };
  };

  function factorOf(words: string[], isLast: (word: string) => boolean): number {
    const first = words.findIndex(
      (_, at) =>
        complete.every((word, i) => word === shortWord(words[at + i] ?? '')) &&
        isLast(words[at + complete.length] ?? ''),
    );
    if (first < 0) return notShown;
    return first === 0 ? 1 : LATER_WORD;
  }
}

/** "Saint" and "St." begin with "s", "sain", and "st". */
function begins(word: string, typed: string): boolean {
  return [word, shortWord(word), longWord(word)].some((form) => form.startsWith(typed));
}

/** A name with the score of its place for a typed text. */
interface RatedName extends ScoredName {
  /** Whether the shown name does not begin with the text, and the name does not equal it. */
  isDoubtful: boolean;
}

/**
 * A doubtful place is left out if its score is a lower fraction of the best score: "san fr" does not suggest Albuquerque,
 * although it has been named San Francisco de Albuquerque.
 */
const MIN_SCORE_SHARE = 1 / 1000;

/**
 * Sorts the first names by score, one of each place, before the others. Doubtful places come after all large cities whose
 * shown names begin with the text: "buca" suggests Bucaramanga before Bucharest. Smaller places do not count: "peki" suggests
 * Beijing before Pekin.
 */
export function byShownName(
  data: PlaceData,
  text: string,
  folded: string,
  names: ScoredName[],
): ScoredName[] {
  const fitOf = createShownFit(text);
  const { exactTo } = data.nameList.range(folded);
  const rated = new Map<number, RatedName>();
  let maxIfDoubtful = Infinity;
  for (const { name, score } of names.slice(0, MAX_COMPARED)) {
    const place = data.nameList.place(name);
    if (rated.has(place)) continue;
    const { factor, isShown } = fitOf(displayName(data, place));
    const isShownCity = factor === 1 && populationOf(data, place) >= LARGE_CITY_POPULATION;
    if (isShownCity) maxIfDoubtful = Math.min(maxIfDoubtful, score);
    rated.set(place, { name, score: score * factor, isDoubtful: !isShown && name >= exactTo });
  }
  const ratedNames = [...rated.values()];
  const minIfDoubtful = Math.max(...ratedNames.map(({ score }) => score)) * MIN_SCORE_SHARE;
  const sorted = ratedNames
    .filter(({ isDoubtful, score }) => !isDoubtful || score >= minIfDoubtful)
    .map((name) =>
      name.isDoubtful ? { ...name, score: Math.min(name.score, maxIfDoubtful) } : name,
    )
    .sort((a, b) => b.score - a.score || Number(a.isDoubtful) - Number(b.isDoubtful));
  return [...sorted, ...names.slice(MAX_COMPARED)];
}

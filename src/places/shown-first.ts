import type { Scored } from './segment-tree.js';

/** A name with the score of its place for a typed text. */
export interface Rated extends Scored {
  /** Whether the place is a city whose shown name begins with the text. */
  isShownCity: boolean;
  /** Whether neither the shown name begins with the text, nor the name equals it. */
  isDoubtful: boolean;
}

/**
 * A doubtful place is left out if its score is a lower fraction of the best score: "san fr" does not suggest Albuquerque,
 * although it has been named San Francisco de Albuquerque.
 */
const MIN_SCORE_SHARE = 1 / 1000;

/**
 * Sorts names of different places by score. Doubtful places come after all cities whose shown names begin with the text:
 * "buca" suggests Bucaramanga before Bucharest. Smaller places do not count: "peki" suggests Beijing before Pekin.
 */
export function shownFirst(names: Rated[]): Scored[] {
  const cities = names.filter(({ isShownCity }) => isShownCity);
  const highest = Math.min(...cities.map(({ score }) => score));
  const least = Math.max(...names.map(({ score }) => score)) * MIN_SCORE_SHARE;
  return names
    .filter(({ isDoubtful, score }) => !isDoubtful || score >= least)
    .map((name) => ({
      ...name,
      score: name.isDoubtful ? Math.min(name.score, highest) : name.score,
    }))
    .sort((a, b) => b.score - a.score || Number(a.isDoubtful) - Number(b.isDoubtful));
}

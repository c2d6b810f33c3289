import { Rank } from './city-names.js';
import type { SourcePlace } from './source-places.js';

/** A place that has some name, and how good a name of it that is. */
export interface Namesake {
  /** Index of the place; places are sorted most populous first. */
  value: number;
  /** One of `Rank`. */
  rank: number;
}

/** From this size on, a city may be better known by a lesser name than a village by its own … */
const CITY_POPULATION = 50_000;
/** … when it has so many times the people of every place that has the name by a better right. */
const FACTOR = 8;

/**
 * Puts the places of one name in order, the likeliest first: by rank of the name, then by
 * population. A city is moved up one rank over far smaller places: "Querétaro" is the city of half
 * a million (Santiago de Querétaro) and not a village of that name. Over places of unknown
 * population, mostly quarters and second entries of the same city, it is moved up all the way.
 */
export function orderNamesakes(list: Namesake[], places: SourcePlace[]): void {
  if (list.length === 1) return;
  const population = ({ value }: Namesake): number => places[value]?.population ?? 0;
  const largestOf = (rank: number): number =>
    Math.max(0, ...list.filter((each) => each.rank === rank).map(population));
  const primary = largestOf(Rank.primary);
  const near = largestOf(Rank.near);
  const effective = (namesake: Namesake): number => {
    const people = population(namesake);
    if (namesake.rank >= Rank.romanised || people < CITY_POPULATION) return namesake.rank;
    if (primary === 0 && near === 0) return Rank.primary;
    if (namesake.rank === Rank.near && people >= FACTOR * primary) return Rank.primary;
    if (namesake.rank === Rank.alternate && people >= FACTOR * near) return Rank.near;
    return namesake.rank;
  };
  list.sort((a, b) => effective(a) - effective(b) || a.value - b.value);
}

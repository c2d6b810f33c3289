import { Rank } from './city-names.js';
import type { SourcePlace } from './source-places.js';

/** A place that has a certain name, and the rank of that name. */
export interface Namesake {
  /** Index of the place; places are sorted most populous first. */
  value: number;
  /** One of `Rank`. */
  rank: number;
}

/** A city of at least this population can move up one rank … */
const CITY_POPULATION = 50_000;
/** … if it has this many times the population of every place for which the name ranks better. */
const FACTOR = 8;

/**
 * Sorts the places of one name, the likeliest first: by rank of the name, then by population.
 * A city moves up one rank over far smaller places: "Querétaro" is the city of half a million
 * (Santiago de Querétaro) and not a village of that name. It moves up to the first rank over places
 * of unknown population, which are mostly quarters or second entries of the same city.
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

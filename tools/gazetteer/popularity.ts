import { fold } from '../../src/places/names/fold.js';
import { Rank } from './city-names.js';
import { groupBy } from './group-by.js';
import { orderNamesakes } from './namesakes.js';
import type { SourcePlace } from './source-places.js';

const LARGEST = 2 ** 32 - 1;
/** Exponent of fame: San Francisco precedes San Antonio (twice the population, half the names). */
const FAME = 1.2;
/** Factor on the fame of a capital. */
const CAPITAL_FAME = 1.3;
/** Divisor with which the largest cities fit into 32 bits. */
const SCALE = 16;
/** The assumed population of a place whose population is unknown. */
const FEWEST_PEOPLE = 100;

function ownPopularity({ population, fame, capital }: SourcePlace): number {
  const known = Math.max(fame, 1) * (capital ? CAPITAL_FAME : 1);
  const weight = Math.max(population, FEWEST_PEOPLE) * known ** FAME;
  return Math.min(LARGEST, Math.round(weight / SCALE));
}

/**
 * Returns the popularity of each place. Places with the same main name in the same country have the
 * order in which lookups rank them: Springfield.
 */
export function popularityOf(places: SourcePlace[]): Uint32Array {
  const popularity = Uint32Array.from(places, ownPopularity);
  const namesakes = groupBy(
    places.entries(),
    ([, { country, name }]) => `${country}:${fold(name)}`,
  );
  for (const group of namesakes.values()) {
    const list = group.map(([value]) => ({ value, rank: Rank.primary }));
    orderNamesakes(list, places);
    const sorted = group.map(([i]) => popularity[i] ?? 0).sort((a, b) => b - a);
    for (const [i, { value }] of list.entries()) popularity[value] = sorted[i] ?? 0;
  }
  return popularity;
}

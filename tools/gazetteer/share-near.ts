import { distancesFrom } from '../../src/weather/distance.js';
import type { SourcePlace } from './source-places.js';

/** Computes the share of the people of some places who live within a distance of a town. */
export function shareNear(places: SourcePlace[], town: SourcePlace, maxKm: number): number {
  const distanceTo = distancesFrom(town);
  let all = 0;
  let near = 0;
  for (const place of places) {
    // A place of unknown population counts a little.
    const people = Math.max(place.population, 1);
    all += people;
    if (distanceTo(place) <= maxKm) near += people;
  }
  return near / all;
}

import { nearestPlace } from './nearest-place.js';
import type { SourcePlace } from './source-places.js';

/**
 * Returns for each place without a region the region of the nearest place of its country that has
 * one, less than 55 km away. It is likely enough to find the place with it, but suggestions do not
 * show it as the region of the place.
 *
 * @param division the number of the region of each place; 0 if unknown
 * @returns the number of the region by the index of the place
 */
export function regionsNear(places: SourcePlace[], division: Uint16Array): Map<number, number> {
  const numbers = new Map(places.map((place, i) => [place, division[i] ?? 0]));
  const nearest = nearestPlace(places.filter((place) => numbers.get(place) !== 0));
  const near = new Map<number, number>();
  for (const [i, place] of places.entries()) {
    if (division[i] !== 0) continue;
    const next = nearest(place, () => true);
    if (next) near.set(i, numbers.get(next.place) ?? 0);
  }
  return near;
}

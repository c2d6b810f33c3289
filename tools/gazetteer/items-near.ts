import KDBush from 'kdbush';
import type { Point } from '../../src/weather/types.js';

/** Fewer than there are, so that no item within the distance is outside of the box. */
const KM_PER_DEGREE = 110;

/**
 * Creates the search for items near a point by an index: all items within a distance, and a few
 * that are farther away. It does not look across 180°.
 */
export function itemsNear<T extends Point>(items: T[]): (point: Point, km: number) => T[] {
  const index = new KDBush(items.length);
  for (const { longitude, latitude } of items) index.add(longitude, latitude);
  index.finish();
  return ({ latitude, longitude }, km) => {
    const high = km / KM_PER_DEGREE;
    const wide = high / Math.max(Math.cos((latitude * Math.PI) / 180), 0.05);
    return index
      .range(longitude - wide, latitude - high, longitude + wide, latitude + high)
      .flatMap((i) => items[i] ?? []);
  };
}

import type { Point } from './types.js';

const EARTH_RADIUS_KM = 6371.0088;
const RADIANS = Math.PI / 180;

/** Returns a function for the great-circle distance from `from` to a point, in km (haversine). */
export function distancesFrom(from: Point): (to: Point) => number {
  const cosFrom = Math.cos(from.latitude * RADIANS);
  return ({ latitude, longitude }) => {
    const sinLat = Math.sin(((latitude - from.latitude) * RADIANS) / 2);
    const sinLon = Math.sin(((longitude - from.longitude) * RADIANS) / 2);
    const a = sinLat * sinLat + cosFrom * Math.cos(latitude * RADIANS) * sinLon * sinLon;
    return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(a)));
  };
}

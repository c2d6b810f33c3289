import lookUp from '@photostructure/tz-lookup';
import { canonicalPoint } from '../weather/point.js';
import type { Point } from '../weather/types.js';

/**
 * The IANA time zone at a point, for providers that do not report it. At sea it is a zone such as `Etc/GMT+12`.
 *
 * The data of the library has 72 kB, so its borders are approximate. Of the 135,000 places of
 * GeoNames with at least 1,000 people, 0.7 % get a zone with another offset than in GeoNames, most
 * of them near a border.
 */
export function timeZoneAt(point: Point): string {
  const { latitude, longitude } = canonicalPoint(point);
  return lookUp(latitude, longitude);
}

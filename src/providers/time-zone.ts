import lookUp from '@photostructure/tz-lookup';
import { canonicalPoint } from '../weather/kinds/point.js';
import type { Point } from '../weather/types.js';

/**
 * The IANA time zone of a point by a map: for places without one in the gazetteer, and far from
 * places. At sea it is a zone such as `Etc/GMT+12`.
 *
 * The library has 72 kB of data, so borders are approximate. Of the 135,000 places of GeoNames with
 * at least 1,000 people, 0.7 % get a zone with another offset than in GeoNames, most of them near a
 * border. The difference is at most 2.5 hours.
 */
export function timeZoneAt(point: Point): string {
  const { latitude, longitude } = canonicalPoint(point);
  return lookUp(latitude, longitude);
}

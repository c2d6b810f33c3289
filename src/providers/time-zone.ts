import lookUp from '@photostructure/tz-lookup';
import { canonicalPoint } from '../weather/point.js';
import type { Point } from '../weather/types.js';

/**
 * The IANA time zone at a point, for providers that report none. At sea it is a zone such as `Etc/GMT+12`. Near a border,
 * it can be the zone of the neighbor: the data of the library is 72 kB and knows borders only roughly.
 */
export function timeZoneAt(point: Point): string {
  const { latitude, longitude } = canonicalPoint(point);
  return lookUp(latitude, longitude);
}

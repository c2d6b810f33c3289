import lookUp from '@photostructure/tz-lookup';
import { isTimeZone } from '../weather/local-time.js';
import { canonicalPoint } from '../weather/point.js';
import type { Point } from '../weather/types.js';

/** Tutuila in American Samoa. The library has the zone of Samoa there, in which it is one day later. */
const TUTUILA = { south: -14.6, north: -14, west: -171.1, east: -170.3 };

/**
 * The IANA time zone at a point, for providers that do not report it. At sea it is a zone such as `Etc/GMT+12`.
 *
 * The data of the library has 72 kB, so its borders are approximate. Of the 135,000 places of GeoNames with at least
 * 1,000 people, 0.7 % get a zone with another offset than in GeoNames, most of them near a border. The difference is at
 * most 2.5 hours.
 */
export function timeZoneAt(point: Point): string {
  const { latitude, longitude } = canonicalPoint(point);
  const isOnTutuila =
    latitude > TUTUILA.south &&
    latitude < TUTUILA.north &&
    longitude > TUTUILA.west &&
    longitude < TUTUILA.east;
  return isOnTutuila ? 'Pacific/Pago_Pago' : lookUp(latitude, longitude);
}

/**
 * The time zone that a provider reports for a point or, if it reports none that this version of Node.js knows, the one of
 * `timeZoneAt`.
 */
export function timeZoneOf(point: Point, reported: string | null | undefined): string {
  return reported != null && isTimeZone(reported) ? reported : timeZoneAt(point);
}

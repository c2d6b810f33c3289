import lookUp from '@photostructure/tz-lookup';
import { isTimeZone } from '../weather/local-time.js';
import { canonicalPoint } from '../weather/point.js';
import type { ZonedPoint } from '../weather/types.js';

/** Tutuila in American Samoa. The library has the zone of Samoa there, in which it is one day later. */
const TUTUILA = { south: -14.6, north: -14, west: -171.1, east: -170.3 };

/**
 * The IANA time zone of a point: the one that is known or, by default, that of a map. At sea it is a zone such as
 * `Etc/GMT+12`.
 *
 * The data of the library has 72 kB, so its borders are approximate. Of the 135,000 places of GeoNames with at least
 * 1,000 people, 0.7 % get a zone with another offset than in GeoNames, most of them near a border. The difference is at
 * most 2.5 hours.
 */
export function timeZoneAt(point: ZonedPoint): string {
  if (point.timeZone !== undefined) return point.timeZone;
  const { latitude, longitude } = canonicalPoint(point);
  const isOnTutuila =
    latitude > TUTUILA.south &&
    latitude < TUTUILA.north &&
    longitude > TUTUILA.west &&
    longitude < TUTUILA.east;
  return isOnTutuila ? 'Pacific/Pago_Pago' : lookUp(latitude, longitude);
}

/**
 * The time zone of a point: the one that is known, else the one that a provider reports if this version of Node.js knows
 * it, else that of the map.
 */
export function timeZoneOf(point: ZonedPoint, reported: string | null | undefined): string {
  return point.timeZone ?? (isTimeZone(reported) ? reported : timeZoneAt(point));
}

import { timeZoneAt } from '../../src/providers/time-zone.js';
import type { Point, ZonedPoint } from '../../src/weather/types.js';

/** Returns a point with the time zone that the map has for it. */
export const zoned = (point: Point): ZonedPoint => ({ ...point, timeZone: timeZoneAt(point) });

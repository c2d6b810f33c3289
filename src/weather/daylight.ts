import { DAY_MS } from './durations.js';
import type { Point } from './types.js';

/** Noon of the first of January 2000, the origin of the formulas, in Unix days. */
const J2000_DAYS = 10_957.5;
/**
 * Altitude of the center of the sun in degrees at sunrise and sunset. Refraction lifts the sun, and its upper edge
 * counts.
 */
const HORIZON = -0.833;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/**
 * Whether the sun is up at a point, by the low-precision formulas of the Astronomical Almanac: they
 * are right to a hundredth of a degree, a few seconds around sunrise and sunset.
 * @param now milliseconds since the Unix epoch
 */
export function isDaylight({ latitude, longitude }: Point, now: number): boolean {
  const days = now / DAY_MS - J2000_DAYS;
  const anomaly = radians(357.528 + 0.9856003 * days);
  const meanLongitude = 280.46 + 0.9856474 * days;
  const ecliptic = radians(
    meanLongitude + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly),
  );
  const obliquity = radians(23.439);
  const declination = Math.asin(Math.sin(obliquity) * Math.sin(ecliptic));
  const ascension = Math.atan2(Math.cos(obliquity) * Math.sin(ecliptic), Math.cos(ecliptic));
  const siderealDegrees = 280.46062 + 360.98564737 * days;
  const hourAngle = radians(siderealDegrees + longitude) - ascension;
  const sine =
    Math.sin(radians(latitude)) * Math.sin(declination) +
    Math.cos(radians(latitude)) * Math.cos(declination) * Math.cos(hourAngle);
  return sine > Math.sin(radians(HORIZON));
}

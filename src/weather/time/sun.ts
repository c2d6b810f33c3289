import { getPosition, getTimes } from 'suncalc';
import { DAY_MS, MINUTE_MS } from './durations.js';
import { localTime, noonOf } from './local-time.js';
import type { Point } from '../types.js';

/**
 * suncalc's altitude of the sun's center at sunrise and sunset, in degrees: the true -0.833° (for
 * the upper edge, with refraction) plus 0.484° that suncalc adds for refraction below the horizon.
 */
const HORIZON = -0.349;
/**
 * Maximum degrees between the sun and `HORIZON` at a true sunrise or sunset. On the first and last
 * days of a polar day or night, suncalc can return instants with the sun degrees off the horizon.
 */
const TOLERANCE = 0.5;

/** Whether the sun is up at a point. @param instant milliseconds since the Unix epoch */
export function isDaylight(point: Point, instant: number): boolean {
  return altitudeOf(point, instant) > HORIZON;
}

function altitudeOf({ latitude, longitude }: Point, instant: number | Date): number {
  return getPosition(new Date(instant), latitude, longitude).altitude;
}

/** Local times, such as `2026-11-24T07:31`; null if the sun does not rise or does not set. */
export interface SunTimes {
  sunrise: string | null;
  sunset: string | null;
  /** Seconds from sunrise to sunset; a whole day if the sun does not set, 0 if it does not rise. */
  day_length: number;
}

/**
 * Computes sunrise and sunset of a local date to the minute. Sunset follows, even after midnight.
 * @param timeZone IANA name
 * @param date as `2026-11-24`
 */
export function sunTimes(point: Point, timeZone: string, date: string): SunTimes {
  const { latitude, longitude } = point;
  const noon = noonOf(timeZone, date);
  // Local and solar time can differ by hours, so a sunrise can belong to another solar noon.
  const noons = [noon - DAY_MS, noon, noon + DAY_MS];
  const days = noons.map((instant) => getTimes(new Date(instant), latitude, longitude));
  const atHorizon = (event: Date | null | undefined): number[] =>
    event && Math.abs(altitudeOf(point, event) - HORIZON) < TOLERANCE ? [toMinute(event)] : [];
  const sunrises = days.flatMap(({ sunrise }) => atHorizon(sunrise));
  const sunsets = days.flatMap(({ sunset }) => atHorizon(sunset));
  const local = (instant: number | undefined) =>
    instant === undefined ? null : localTime(timeZone, instant);
  const isOnDate = (instant: number) => local(instant)?.startsWith(date) === true;

  const sunrise = sunrises.find(isOnDate);
  const sunset = sunsets.find((instant) =>
    sunrise === undefined ? isOnDate(instant) : instant > sunrise,
  );
  const solarNoons = days.map(({ solarNoon }) => toMinute(solarNoon));
  const solarNoon = solarNoons.find((each) => each > (sunrise ?? noon - DAY_MS / 2)) ?? noon;
  const isDark = sunrise === undefined && !isDaylight(point, solarNoon);
  // A polar day or a polar night can have one end on the date.
  const start = sunrise ?? solarNoon - DAY_MS / 2;
  // Without a sunrise, a sunset before noon ends the light of the day before.
  const endsHere = sunset !== undefined && (sunrise !== undefined || sunset > solarNoon);
  const end = endsHere ? sunset : solarNoon + DAY_MS / 2;
  const lengthMs = isDark ? 0 : Math.min(end - start, DAY_MS);
  return { sunrise: local(sunrise), sunset: local(sunset), day_length: lengthMs / 1000 };
}

/** Rounds an instant to the minute. @returns milliseconds since the Unix epoch */
export function toMinute(date: Date): number {
  return Math.round(date.getTime() / MINUTE_MS) * MINUTE_MS;
}

import { isDaylight } from '../weather/daylight.js';
import { DAY_MS, MINUTE_MS } from '../weather/durations.js';
import { localDate, localTime } from '../weather/local-time.js';
import type { Point } from '../weather/types.js';

/** Milliseconds between two computed altitudes of the sun. Longer: near the poles, a shorter day or night is missed. */
const STEP_MS = 10 * MINUTE_MS;

/**
 * Computes sunrise and sunset of a local date, for providers that do not report them. The sunset follows the sunrise, and
 * can be after midnight.
 * @param date as `2026-11-24`
 * @returns local times such as `2026-11-24T07:31`; undefined if the sun does not rise or does not set
 */
export function sunTimes(
  point: Point,
  timeZone: string,
  date: string,
): { sunrise: string | undefined; sunset: string | undefined } {
  const start = startOf(date, timeZone);
  const end = startOf(nextDate(date), timeZone);
  const sunrise = firstChange(point, true, start, end);
  const sunset =
    sunrise === undefined
      ? firstChange(point, false, start, end)
      : firstChange(point, false, sunrise, sunrise + DAY_MS);
  const local = (instant: number | undefined) =>
    instant === undefined ? undefined : localTime(timeZone, instant);
  return { sunrise: local(sunrise), sunset: local(sunset) };
}

/** The instant at which a local date begins or, if the runtime does not know the time zone, the date in UTC. */
export function startOf(date: string, timeZone: string): number {
  const utc = Date.parse(date);
  let before = utc - DAY_MS;
  let after = utc + DAY_MS;
  if (localDate(timeZone, utc) === undefined) return utc;
  while (after - before > MINUTE_MS) {
    const middle = floorToMinute((before + after) / 2);
    if ((localDate(timeZone, middle) ?? '') < date) before = middle;
    else after = middle;
  }
  return after;
}

/** The date after a date. */
export function nextDate(date: string): string {
  return new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, date.length);
}

/** The first minute in which the sun is up (or no longer up) after the opposite. */
function firstChange(point: Point, isUp: boolean, start: number, end: number): number | undefined {
  const isAfter = (instant: number) => isDaylight(point, instant) === isUp;
  for (let at = start; at < end; at += STEP_MS) {
    const next = Math.min(at + STEP_MS, end);
    if (!isAfter(at) && isAfter(next)) return firstMinute(isAfter, at, next);
  }
  return undefined;
}

function firstMinute(isAfter: (instant: number) => boolean, start: number, end: number): number {
  let [before, after] = [start, end];
  while (after - before > MINUTE_MS) {
    const middle = floorToMinute((before + after) / 2);
    if (isAfter(middle)) after = middle;
    else before = middle;
  }
  return after;
}

const floorToMinute = (instant: number) => Math.floor(instant / MINUTE_MS) * MINUTE_MS;

import { getMoonIllumination, getMoonPosition } from 'suncalc';
import { HOUR_MS, MINUTE_MS } from './durations.js';
import { localTime, noonOf } from './local-time.js';
import { plausible } from './quantities.js';
import type { Point } from './types.js';

/** The moon on a date. The times are local, such as `2026-11-24T16:52`. */
export interface Moon {
  /** From 0 (new) to 0.5 (full) and 1 (new), at noon. */
  moon_phase: number | null;
  /** The first rise on the date; null if the moon does not rise. */
  moonrise: string | null;
  moonset: string | null;
}

/** Half of the longest date, which has a clock change. */
const HALF_DATE_MS = 13 * HOUR_MS;
/** Longer: near the poles, a rise and a set in one step are not found. */
const STEP_MS = HOUR_MS / 2;

/**
 * Computes the moon of a local date. suncalc's own function returns one rise and one set of a day of UTC.
 * @param timeZone IANA name
 * @param date as `2026-11-24`
 */
export function moonOn(point: Point, timeZone: string, date: string): Moon {
  const noon = noonOf(timeZone, date);
  const phase = plausible('moon_phase', getMoonIllumination(new Date(noon)).phase);
  const moon: Moon = { moon_phase: phase, moonrise: null, moonset: null };
  let start = noon - HALF_DATE_MS;
  let wasUp = isMoonUp(point, start);
  for (; start < noon + HALF_DATE_MS; start += STEP_MS) {
    const isUp = isMoonUp(point, start + STEP_MS);
    if (isUp !== wasUp) {
      const time = localTime(timeZone, changeAfter(point, start, isUp));
      if (time.startsWith(date)) moon[isUp ? 'moonrise' : 'moonset'] ??= time;
    }
    wasUp = isUp;
  }
  return moon;
}

/** The minute in a step in which the moon begins to be up, or not. */
function changeAfter(point: Point, start: number, willBeUp: boolean): number {
  let [before, after] = [start, start + STEP_MS];
  while (after - before > MINUTE_MS / 60) {
    const middle = (before + after) / 2;
    if (isMoonUp(point, middle) === willBeUp) after = middle;
    else before = middle;
  }
  return Math.round(after / MINUTE_MS) * MINUTE_MS;
}

const EARTH_RADIUS_KM = 6378.14;

/** Whether the upper edge of the moon is above the horizon, by the rule by which suncalc computes rises and sets. */
function isMoonUp({ latitude, longitude }: Point, instant: number): boolean {
  const { altitude, distance } = getMoonPosition(new Date(instant), latitude, longitude);
  const semidiameter = (0.2725 * Math.asin(EARTH_RADIUS_KM / distance) * 180) / Math.PI;
  return altitude + semidiameter + 0.09 > 0;
}

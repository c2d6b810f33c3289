import { getMoonIllumination, getMoonPosition, getMoonTimes } from 'suncalc';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.js';
import { localTime, noonOf } from './local-time.js';
import { roundedPlausibleValue } from '../kinds/quantities.js';
import { toMinute } from './sun.js';
import type { Point } from '../types.js';

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

/** Degrees: suncalc's altitude of the center of the moon at its rise and set, at mean distance. */
const HORIZON = -0.35;

/**
 * Returns a function that computes the moon of a local date, as `2026-11-24`. A UTC day takes about
 * half a millisecond, so it is computed once for all dates.
 * @param timeZone IANA name
 */
export function createMoon(point: Point, timeZone: string): (date: string) => Moon {
  const days = new Map<number, MoonTimes>();
  const timesOf = (day: number) => {
    const times = days.get(day) ?? moonTimes(point, day);
    days.set(day, times);
    return times;
  };
  return (date) => {
    const noon = noonOf(timeZone, date);
    const first = Math.floor((noon - HALF_DATE_MS) / DAY_MS);
    const last = Math.floor((noon + HALF_DATE_MS) / DAY_MS);
    const times = Array.from({ length: last - first + 1 }, (_, index) => timesOf(first + index));
    const firstOnDate = (events: Date[]) =>
      events
        .map((event) => localTime(timeZone, toMinute(event)))
        .find((time) => time.startsWith(date)) ?? null;
    return {
      moon_phase: roundedPlausibleValue('moon_phase', getMoonIllumination(new Date(noon)).phase),
      moonrise: firstOnDate(times.flatMap(({ rises }) => rises)),
      moonset: firstOnDate(times.flatMap(({ sets }) => sets)),
    };
  };
}

/** The rises and sets of a day of UTC, in the order of time. */
interface MoonTimes {
  rises: Date[];
  sets: Date[];
}

/**
 * The rises and sets of a UTC day. suncalc returns only the first rise and the first set. Far from
 * the equator, the earlier of the two can happen again on that day: then the moon is, at the end of
 * the day, not where the later one left it.
 * @param day days since the Unix epoch
 */
function moonTimes(point: Point, day: number): MoonTimes {
  const { rise, set } = getMoonTimes(new Date(day * DAY_MS), point.latitude, point.longitude);
  const times: MoonTimes = { rises: rise ? [rise] : [], sets: set ? [set] : [] };
  let end = (day + 1) * DAY_MS;
  let start = Math.max(Number(rise), Number(set));
  const hasRisen = start === Number(rise);
  // Within an hour of the end, it is the same event on both sides of a rounding error.
  const isComplete = !rise || !set || end - start < HOUR_MS || isMoonUp(point, end) === hasRisen;
  if (isComplete) return times;
  while (end - start > MINUTE_MS / 2) {
    const middle = (start + end) / 2;
    if (isMoonUp(point, middle) === hasRisen) start = middle;
    else end = middle;
  }
  (hasRisen ? times.sets : times.rises).push(new Date(end));
  return times;
}

function isMoonUp({ latitude, longitude }: Point, instant: number): boolean {
  return getMoonPosition(new Date(instant), latitude, longitude).altitude > HORIZON;
}

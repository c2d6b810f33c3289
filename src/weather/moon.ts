import { getMoonIllumination, getMoonTimes } from 'suncalc';
import { DAY_MS, HOUR_MS } from './durations.js';
import { localTime, noonOf } from './local-time.js';
import { plausible } from './quantities.js';
import { toMinute } from './sun.js';
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

/**
 * Returns a function that computes the moon of a local date, as `2026-11-24`. A day of UTC takes about half a millisecond, so it is
 * computed once for all dates.
 * @param timeZone IANA name
 */
export function createMoon(
  { latitude, longitude }: Point,
  timeZone: string,
): (date: string) => Moon {
  const days = new Map<number, ReturnType<typeof getMoonTimes>>();
  const timesOf = (day: number) => {
    const times = days.get(day) ?? getMoonTimes(new Date(day * DAY_MS), latitude, longitude);
    days.set(day, times);
    return times;
  };
  return (date) => {
    const noon = noonOf(timeZone, date);
    const first = Math.floor((noon - HALF_DATE_MS) / DAY_MS);
    const last = Math.floor((noon + HALF_DATE_MS) / DAY_MS);
    const times = Array.from({ length: last - first + 1 }, (_, index) => timesOf(first + index));
    const firstOnDate = (events: (Date | undefined)[]) =>
      events
        .flatMap((event) => (event ? (localTime(timeZone, toMinute(event)) ?? []) : []))
        .find((time) => time.startsWith(date)) ?? null;
    return {
      moon_phase: plausible('moon_phase', getMoonIllumination(new Date(noon)).phase),
      moonrise: firstOnDate(times.map(({ rise }) => rise)),
      moonset: firstOnDate(times.map(({ set }) => set)),
    };
  };
}

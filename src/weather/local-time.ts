import { createLru } from '../lru.js';
import { DAY_MS } from './durations.js';

/**
 * The number of time zones whose formatter is memoized. To create one takes 50 times as long as to
 * use it. There are about 420 time zones. A zone that is not memoized only takes longer.
 */
const MAX_FORMATTERS = 100;

/** Milliseconds. All clocks are a multiple of 15 minutes ahead of UTC or behind it, so dates change at such instants. */
const QUARTER_MS = 900_000;
/** More than there are time zones. Only a provider that invents names could fill it. */
const MAX_DATES = 1000;

const currentDates = createLru<string, { quarter: number; date: string | undefined }>(MAX_DATES);
const formatters = createLru<string, Intl.DateTimeFormat>(MAX_FORMATTERS);

/**
 * The date and time on the clocks of a time zone, as `2026-11-24T07:31`.
 * @param timeZone IANA name, such as `America/Los_Angeles`
 * @param instant milliseconds since the Unix epoch
 * @returns undefined if this version of Node.js does not know the time zone
 */
export function localTime(timeZone: string, instant: number): string | undefined {
  return formatterOf(timeZone)?.format(instant).replace(' ', 'T');
}

/** The date in a time zone, as `2026-11-24`. Parameters and result are like those of `localTime`. */
export function localDate(timeZone: string, instant: number): string | undefined {
  return localTime(timeZone, instant)?.slice(0, 'YYYY-MM-DD'.length);
}

/**
 * The date that `localDate` returns, memoized: in loads with more time zones than formatters, a cache hit would take twice
 * its time to create a formatter.
 */
export function currentDate(timeZone: string, now: number): string | undefined {
  const quarter = Math.floor(now / QUARTER_MS);
  const known = currentDates.get(timeZone);
  if (known?.quarter === quarter) return known.date;
  const date = localDate(timeZone, now);
  currentDates.set(timeZone, { quarter, date });
  return date;
}

/** Whether a text is the name of a time zone that this version of Node.js knows. An offset such as `+05:30` is not. */
export function isTimeZone(text: string): boolean {
  return /^[A-Za-z]/.test(text) && formatterOf(text) !== undefined;
}

/**
 * An instant at noon of a local date, or within an hour of it if the clock changes around this noon. Without a known time
 * zone, it is noon in UTC.
 * @param date as `2026-11-24`
 * @returns milliseconds since the Unix epoch
 */
export function noonOf(timeZone: string, date: string): number {
  const noonInUtc = Date.parse(`${date}T12:00Z`);
  const local = localTime(timeZone, noonInUtc);
  return local === undefined ? noonInUtc : 2 * noonInUtc - Date.parse(`${local}Z`);
}

/** The date that is this number of days after a date. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, date.length);
}

/** Whether a text is a date of the calendar, as `2026-11-24`. */
export function isDate(text: string): boolean {
  const instant = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(instant) && addDays(text, 0) === text;
}

/**
 * Returns the formatter of a time zone, or undefined if the runtime does not know the time zone. Time zones are added
 * every few years, so a provider may know more of them.
 */
function formatterOf(timeZone: string): Intl.DateTimeFormat | undefined {
  const known = formatters.get(timeZone);
  if (known) return known;
  try {
    // The Swedish format is the one of ISO 8601, with a space in place of the T.
    const options = { timeZone, dateStyle: 'short', timeStyle: 'short' } as const;
    const formatter = new Intl.DateTimeFormat('sv-SE', options);
    formatters.set(timeZone, formatter);
    return formatter;
  } catch {
    return undefined;
  }
}

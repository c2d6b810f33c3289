import { createLru } from '../../base/lru.js';
import { DAY_MS, MINUTE_MS } from './durations.js';

/** Memoized formatters: creating takes 50 times as long as using. About 420 time zones exist. */
const MAX_FORMATTERS = 100;
/** The number of memoized days: about 1 MB. Forecasts of 400 time zones for a week need as many. */
const MAX_OFFSETS = 4000;

/** Milliseconds. Clocks differ from UTC by multiples of 15 minutes, and change at such instants. */
const QUARTER_MS = 15 * MINUTE_MS;

/** The characters and the length of the IANA names, with room for new ones. */
const TIME_ZONE_NAME = /^[A-Za-z][\w+/-]{0,99}$/;

const formatters = createLru<string, Intl.DateTimeFormat>(MAX_FORMATTERS);
/** The offsets at the beginning of a day of UTC, and at its end. */
const offsets = createLru<string, { ms: number; nextMs: number }>(MAX_OFFSETS);

/** In Unix epoch milliseconds. Later, some time zone is in year 10000, which has no usual form. */
const LAST_INSTANT = 253_402_300_799_999 - DAY_MS;

/** Whether a value is an instant in milliseconds since the Unix epoch. */
export function isInstant(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LAST_INSTANT;
}

/** Whether a value can be a time zone name: bounded, because it is memoized and sent to clients. */
export function isTimeZoneName(value: unknown): value is string {
  return typeof value === 'string' && TIME_ZONE_NAME.test(value);
}

/**
 * The date and time on the clocks of a time zone, as `2026-11-24T07:31`.
 * @param timeZone IANA name, such as `America/Los_Angeles`
 * @param instant milliseconds since the Unix epoch
 */
export function localTime(timeZone: string, instant: number): string {
  return isoMinutes(instant + utcOffset(timeZone, instant));
}

/** The date in a time zone, as `2026-11-24`. The parameters are like those of `localTime`. */
export function localDate(timeZone: string, instant: number): string {
  return localTime(timeZone, instant).slice(0, 'YYYY-MM-DD'.length);
}

/**
 * Date and time in a time zone with the UTC offset, as `2026-11-24T07:31-08:00`. The equal local
 * times at the end of daylight saving time have different offsets. Parameters: see `localTime`.
 */
export function offsetTime(timeZone: string, instant: number): string {
  const offset = utcOffset(timeZone, instant);
  const sign = offset < 0 ? '-' : '+';
  // The offset is less than a day, so it is the time of a day.
  const magnitude = isoMinutes(Math.abs(offset)).slice('1970-01-01T'.length);
  return `${isoMinutes(instant + offset)}${sign}${magnitude}`;
}

/**
 * Milliseconds by which a time zone is ahead of UTC at an instant; 0 if Node.js does not know it.
 * Memoized by UTC day: with too few formatters, creating one would double the time of a cache hit.
 */
function utcOffset(timeZone: string, instant: number): number {
  const day = Math.floor(instant / DAY_MS);
  const key = `${timeZone} ${day}`;
  const known = offsets.get(key) ?? {
    ms: offsetAt(timeZone, day * DAY_MS),
    nextMs: offsetAt(timeZone, (day + 1) * DAY_MS),
  };
  offsets.set(key, known);
  if (known.ms === known.nextMs) return known.ms;
  return offsetAt(timeZone, Math.floor(instant / QUARTER_MS) * QUARTER_MS);
}

/** The same for an instant at which a quarter of an hour begins. Not memoized. */
function offsetAt(timeZone: string, start: number): number {
  const local = formatterOf(timeZone)?.format(start).replace(' ', 'T');
  return local === undefined ? 0 : Date.parse(`${local}Z`) - start;
}

function isoMinutes(instant: number): string {
  return new Date(instant).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
}

/** Whether a value is a time zone that this Node.js knows. An offset such as `+05:30` is not. */
export function isTimeZone(value: unknown): value is string {
  return isTimeZoneName(value) && formatterOf(value) !== undefined;
}

/**
 * An instant at noon of a local date, or within an hour of it if the clock changes around noon.
 * @param date as `2026-11-24`
 * @returns milliseconds since the Unix epoch
 */
export function noonOf(timeZone: string, date: string): number {
  const noonInUtc = Date.parse(`${date}T12:00Z`);
  return 2 * noonInUtc - Date.parse(`${localTime(timeZone, noonInUtc)}Z`);
}

/** The date that is this number of days after a date. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, date.length);
}

/** Whether a value is a date of the calendar from 1970 on, as `2026-11-24`. */
export function isDate(value: unknown): value is string {
  return typeof value === 'string' && value.length === 10 && isLocalTime(`${value}T00:00`);
}

/** Whether a value is a time without an offset, as `2026-11-24T07:31`, on a date from 1970 on. */
export function isLocalTime(value: unknown): value is string {
  if (typeof value !== 'string' || value.length !== 16) return false;
  const instant = Date.parse(`${value}Z`);
  // The parser accepts 30 February, and other forms.
  return isInstant(instant) && isoMinutes(instant) === value;
}

/** Undefined for a time zone that Node.js does not know, because a provider may know newer ones. */
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

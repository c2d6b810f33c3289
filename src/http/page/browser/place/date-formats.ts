/** Dates and times at a place. The service sends local times, which are formatted as UTC. */
import { locale } from '../state/language.js';

/** Creates a function that formats a local date, or a local date and time. */
function localFormat(options: Intl.DateTimeFormatOptions): (text: string) => string {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return (text) => format.format(new Date(text.length > 10 ? `${text.slice(0, 16)}Z` : text));
}

/** Formats a time of day: `08:00` or `8:00 AM`. */
export const timeText = localFormat({ timeStyle: 'short' });
/** The same for little space: `08:00` or `8 AM`. */
export const shortTime = (text: string) => timeText(text).replace(/:00(?=\D)/, '');
/** Formats the weekday of a date: `Thu`. */
export const shortWeekday = localFormat({ weekday: 'short' });
/** Formats a date: `Thu 26`. */
export const shortDate = localFormat({ weekday: 'short', day: 'numeric' });
/** Formats a date: `Thursday, November 26`. */
export const longDate = localFormat({ weekday: 'long', day: 'numeric', month: 'long' });
/** Formats the weekday and the time of day: `Thursday 08:00`. */
export const weekdayTime = localFormat({ weekday: 'long', hour: 'numeric', minute: '2-digit' });

/** Returns the local time (`2026-11-26T08:00:00`); empty if the browser lacks the time zone. */
export function localAt(timeZone: string, instant: number): string {
  try {
    // Swedish dates have the order of ISO 8601.
    return new Date(instant).toLocaleString('sv', { timeZone }).replace(' ', 'T');
  } catch {
    return '';
  }
}

/** Returns `today`. The page has a shorter text for a row of the days. */
export const todayText = () =>
  new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(0, 'day');

const UNITS = [
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Formats the time until an instant, or since it: `in 40 seconds`, `2 minutes ago`. */
export function fromNow(seconds: number): string {
  const [unit, size] = UNITS.find(([, least]) => least <= Math.abs(seconds)) ?? UNITS[2];
  return new Intl.RelativeTimeFormat(locale).format(Math.ceil(seconds / size), unit);
}

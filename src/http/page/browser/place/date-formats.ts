/** Dates and times at a place. The service sends local ones, which are formatted as if they were UTC. */
import { regionalDefaults } from '../state/browser.js';
import { locale } from '../state/language.js';

/** Whether the clock of the browser's language has twelve hours. */
export const { hour12 = false } = regionalDefaults();
const clock = {
  hour: hour12 ? 'numeric' : '2-digit',
  minute: '2-digit',
  hourCycle: hour12 ? 'h12' : 'h23',
} as const;

/** Creates a function that formats a local date, or a local date and time. */
function localFormat(options: Intl.DateTimeFormatOptions): (text: string) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (text) => {
    format ??= new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    return format.format(new Date(text.length > 10 ? `${text.slice(0, 16)}Z` : text));
  };
}

/** Formats a time of day: `08:00` or `8:00 AM`. */
export const timeText = localFormat(clock);
/** The same for little space: `08:00` or `8 AM`. */
export const shortTime = (text: string) =>
  hour12 ? timeText(text).replace(':00', '') : timeText(text);
/** Formats the weekday of a date: `Thu`. */
export const shortWeekday = localFormat({ weekday: 'short' });
/** Formats a date: `Thu 26`. */
export const shortDate = localFormat({ weekday: 'short', day: 'numeric' });
/** Formats a date: `Thursday, November 26`. */
export const longDate = localFormat({ weekday: 'long', day: 'numeric', month: 'long' });
/** Formats the weekday and the time of day: `Thursday 08:00`. */
export const weekdayTime = localFormat({ ...clock, weekday: 'long' });

/** Returns the local time at an instant: `2026-11-26T08:00:00`; empty if the browser does not know the time zone. */
export function localAt(timeZone: string, instant: number): string {
  try {
    // Swedish dates have the order of ISO 8601.
    return new Date(instant).toLocaleString('sv', { timeZone }).replace(' ', 'T');
  } catch {
    return '';
  }
}

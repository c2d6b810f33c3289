/** Dates and times at a place. A browser that does not know the time zone shows none. */

/** Returns the date at an instant, such as `2026-11-24`; empty if the time zone is unknown. */
export function dateAt(timeZone: string, instant: number): string {
  return inZone(timeZone, (zone) => new Date(instant).toLocaleDateString('en-CA', zone));
}

/** Returns the weekday and time at an instant: `Tuesday 14:05`; empty if the time zone is unknown. */
export function timeAt(timeZone: string, instant: number): string {
  return inZone(timeZone, (zone) => {
    const date = new Date(instant);
    const weekday = date.toLocaleDateString('en', { ...zone, weekday: 'long' });
    const time = date.toLocaleTimeString('en-GB', { ...zone, hour: '2-digit', minute: '2-digit' });
    return `${weekday} ${time}`;
  });
}

function inZone(timeZone: string, format: (zone: { timeZone: string }) => string): string {
  try {
    return format({ timeZone });
  } catch {
    return '';
  }
}

/** Returns the time in a local date and time: `08:00` of `2026-11-25T08:00` and of `2026-11-25T08:00+01:00`. */
export const clockTime = (text: string) => text.slice(11, 16);

/** Formats dates without a time zone: the service sends dates that are local to the place. */
const dateFormat = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' });
  return (date: string) => format.format(new Date(`${date.slice(0, 10)}T12:00Z`));
};

/** Formats the weekday of a date: `Thu`. */
export const shortWeekday = dateFormat({ weekday: 'short' });
/** Formats a date: `Thursday, November 26`. */
export const longDate = dateFormat({ weekday: 'long', day: 'numeric', month: 'long' });

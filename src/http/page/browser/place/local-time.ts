/** Dates and times at a place, by a clock with 12 or 24 hours. A browser that does not know the time zone shows none. */

/** Returns the date at an instant, such as `2026-11-24`; empty if the time zone is unknown. */
export function dateAt(timeZone: string, instant: number): string {
  return inZone(timeZone, (zone) => new Date(instant).toLocaleDateString('en-CA', zone));
}

/** Returns the weekday and time at an instant: `Tuesday 14:05`; empty if the time zone is unknown. */
export function timeAt(timeZone: string, instant: number, isTwelveHours: boolean): string {
  return inZone(timeZone, (zone) => {
    const date = new Date(instant);
    const weekday = date.toLocaleDateString('en', { ...zone, weekday: 'long' });
    const time = date.toLocaleTimeString('en-GB', { ...zone, hour: '2-digit', minute: '2-digit' });
    return `${weekday} ${clockTime(`${dateAt(timeZone, instant)}T${time}`, isTwelveHours)}`;
  });
}

function inZone(timeZone: string, format: (zone: { timeZone: string }) => string): string {
  try {
    return format({ timeZone });
  } catch {
    return '';
  }
}

/** Returns the time in a local date and time: `08:00` or `8:00 AM` of `2026-11-25T08:00+01:00`. */
export function clockTime(text: string, isTwelveHours: boolean): string {
  const time = text.slice(11, 16);
  if (!isTwelveHours) return time;
  const hour = Number(time.slice(0, 2));
  return `${hour % 12 || 12}${time.slice(2)} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** Returns a time for little space: `08:00`, `8 AM`, or `8:30 AM`. */
export const shortTime = (text: string, isTwelveHours: boolean) =>
  isTwelveHours ? clockTime(text, true).replace(':00', '') : clockTime(text, false);

/** Formats dates without a time zone: the service sends dates that are local to the place. */
const dateFormat = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' });
  return (date: string) => format.format(new Date(`${date.slice(0, 10)}T12:00Z`));
};

/** Formats the weekday of a date: `Thu`. */
export const shortWeekday = dateFormat({ weekday: 'short' });
/** Formats a date: `Thu 26`. */
export const shortDate = (date: string) => `${shortWeekday(date)} ${Number(date.slice(8, 10))}`;
/** Formats a date: `Thursday, November 26`. */
export const longDate = dateFormat({ weekday: 'long', day: 'numeric', month: 'long' });

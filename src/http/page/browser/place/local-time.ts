/** Dates and times at a place. The service sends local ones, which are formatted as if they were UTC. */

/** Formats times by a clock with 12 or 24 hours. */
export interface Clock {
  /** Formats a local date and time as a time of day: `08:00` or `8:00 AM`. */
  time: (text: string) => string;
  /** The same, for little space: `08:00` or `8 AM`. */
  shortTime: (text: string) => string;
  /** Formats an instant as the weekday and time of day at a place; empty if the browser does not know the time zone. */
  timeAt: (timeZone: string, instant: number) => string;
}

export function clockOf(isTwelveHours: boolean): Clock {
  const options = {
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: isTwelveHours ? 'h12' : 'h23',
  } as const;
  const utc = new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' });
  const time = (text: string) => utc.format(new Date(`${text.slice(0, 16)}Z`));
  return {
    time,
    shortTime: (text) => (isTwelveHours ? time(text).replace(':00', '') : time(text)),
    timeAt: (timeZone, instant) => inZone(timeZone, 'en', instant, { ...options, weekday: 'long' }),
  };
}

/** Returns the date at an instant, such as `2026-11-24`; empty if the browser does not know the time zone. */
export const dateAt = (timeZone: string, instant: number) => inZone(timeZone, 'en-CA', instant, {});

function inZone(
  timeZone: string,
  locale: string,
  instant: number,
  options: Intl.DateTimeFormatOptions,
): string {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(instant);
  } catch {
    return '';
  }
}

const dateFormat = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' });
  return (date: string) => format.format(new Date(date.slice(0, 10)));
};

/** Formats the weekday of a date: `Thu`. */
export const shortWeekday = dateFormat({ weekday: 'short' });
/** Formats a date: `Thu 26`. */
export const shortDate = (date: string) => `${shortWeekday(date)} ${Number(date.slice(8, 10))}`;
/** Formats a date: `Thursday, November 26`. */
export const longDate = dateFormat({ weekday: 'long', day: 'numeric', month: 'long' });

import { clockTime, shortTime, timeAt } from './local-time.js';
import { unitsOf, type System, type Units } from './units.js';

/** How the page writes numbers and times: by the choice of the user and the language of the browser. */
export interface Formats extends Units {
  /** Formats a local date and time as a time of day. */
  time: (text: string) => string;
  /** The same, for little space. */
  shortTime: (text: string) => string;
  /** Formats an instant as the weekday and time of day at a place. */
  timeAt: (timeZone: string, instant: number) => string;
}

export const formatsOf = (system: System, isTwelveHours: boolean): Formats => ({
  ...unitsOf(system),
  time: (text) => clockTime(text, isTwelveHours),
  shortTime: (text) => shortTime(text, isTwelveHours),
  timeAt: (timeZone, instant) => timeAt(timeZone, instant, isTwelveHours),
});

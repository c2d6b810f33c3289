/** Texts about one day of a forecast. */
import type { Day } from '../service/api-client.js';
import type { Units } from '../view/units.js';

/** Formats dates without a time zone: the service sends dates that are local to the place. */
const dateFormat = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' });
const shortWeekday = dateFormat({ weekday: 'short' });
const longDate = dateFormat({ weekday: 'long', day: 'numeric', month: 'long' });

export interface DayTexts {
  weekday: string;
  minimum: string;
  maximum: string;
  /** The chance of precipitation; undefined if it is unknown. */
  chance: string | undefined;
  /** A sentence with everything, for screen readers. */
  sentence: string;
}

/** @param today the date at the place */
export function dayTexts(day: Day, today: string, units: Units): DayTexts {
  const noon = new Date(`${day.date}T12:00Z`);
  const isToday = day.date === today;
  const minimum = units.degrees(day.temperature_min);
  const maximum = units.degrees(day.temperature_max);
  const probability = day.precipitation_probability;
  const chance = probability === null ? undefined : `${probability} %`;
  const facts = [day.condition, `${minimum} to ${maximum} ${units.temperatureUnit}`];
  if (chance !== undefined) facts.push(`${chance} chance of precipitation`);
  return {
    weekday: isToday ? 'Today' : shortWeekday.format(noon),
    minimum: `${minimum}°`,
    maximum: `${maximum}°`,
    chance,
    sentence: `${isToday ? 'Today, ' : ''}${longDate.format(noon)}: ${facts.join(', ')}.`,
  };
}

/** Returns the date in a time zone at an instant, such as `2026-11-24`; empty if the time zone is unknown. */
export function dateAt(timeZone: string, instant: number): string {
  try {
    return new Date(instant).toLocaleDateString('en-CA', { timeZone });
  } catch {
    return '';
  }
}

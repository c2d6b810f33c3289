/** Texts about one day of a forecast. */
import type { Day } from '../service/weather-api.js';
import type { Units } from '../view/units.js';
import { longDate, shortWeekday } from './local-time.js';

/** Percent below which a chance of precipitation is not worth reading. */
const MIN_CHANCE = 10;

export interface DayTexts {
  weekday: string;
  minimum: string;
  maximum: string;
  /** The chance of precipitation; empty if it is unknown or small. */
  chance: string;
  /** The amount of precipitation; empty if it is unknown or too small. */
  amount: string;
  /** A sentence with everything, for screen readers. */
  sentence: string;
}

/** @param today the date at the place */
export function dayTexts(day: Day, today: string, units: Units): DayTexts {
  const isToday = day.date === today;
  const minimum = units.degrees(day.temperature_min);
  const maximum = units.degrees(day.temperature_max);
  const probability = day.precipitation_probability;
  const millimeters = amountText(day.precipitation, units);
  const amount = millimeters && `${millimeters} ${units.amountUnit}`;
  const facts = [day.condition, `${minimum} to ${maximum} ${units.temperatureUnit}`];
  if (probability !== null) facts.push(`${probability} % chance of precipitation`);
  if (amount) facts.push(`${amount} of precipitation`);
  return {
    weekday: isToday ? 'Today' : shortWeekday(day.date),
    minimum: `${minimum}°`,
    maximum: `${maximum}°`,
    chance: chanceText(probability),
    amount,
    sentence: `${isToday ? 'Today, ' : ''}${longDate(day.date)}: ${facts.join(', ')}.`,
  };
}

/** Returns a chance of precipitation; empty if it is unknown or small. */
export function chanceText(probability: number | null): string {
  return probability !== null && probability >= MIN_CHANCE ? `${probability} %` : '';
}

/** Returns an amount of precipitation without its unit; empty if it is unknown or rounds to zero. */
export function amountText(millimeters: number | null, units: Units): string {
  const text = units.amount(millimeters ?? 0);
  return text === units.amount(0) ? '' : text;
}

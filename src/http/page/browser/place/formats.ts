/** How the page writes numbers and times: by the choice of the user and the language of the browser. */
import { clockOf, type Clock } from './local-time.js';

export type System = 'metric' | 'imperial';

interface Units {
  /** Formats a temperature in whole degrees with its unit: `4°C`. */
  temperature: (celsius: number) => string;
  /** Formats a temperature in whole degrees without its unit: `4°`. */
  degrees: (celsius: number) => string;
  speed: (kmPerHour: number) => string;
  pressure: (hPa: number) => string;
  /** Formats an amount of precipitation without its unit: `0.4`, or `<0.1`. */
  amount: (millimeters: number) => string;
  /** The unit of `amount`: `mm` or `in`. */
  amountUnit: string;
  /** Formats a depth of snow: `3.5 cm`. */
  depth: (centimeters: number) => string;
  /** Formats a visibility. */
  distance: (meters: number) => string;
}

export interface Formats extends Units, Clock {
  /** The language of the descriptions of the weather (BCP 47). */
  language: string;
}

const numbers = (options: Intl.NumberFormatOptions) => {
  const negative = { signDisplay: 'negative' } as const;
  const format = new Intl.NumberFormat('en', { ...options, ...negative });
  // The formatter writes a hyphen instead of a minus sign.
  return (value: number) => format.format(value).replace('-', '−');
};
const decimals = (maximumFractionDigits: number) => numbers({ maximumFractionDigits });
const withUnit = (unit: string, maximumFractionDigits = 0) =>
  numbers({ style: 'unit', unit, maximumFractionDigits });
/** Large distances need no decimals. */
const roughly = (unit: string) => numbers({ style: 'unit', unit, maximumSignificantDigits: 2 });

/** Formats a number without decimals. */
export const whole = decimals(0);
/** Formats a percentage. */
export const percent = withUnit('percent');
/** Percent below which a chance of precipitation is not worth reading. */
const MIN_CHANCE = 10;
/** Formats a chance of precipitation at a glance; empty if it is not worth reading. */
export const chanceText = (chance: number | null) =>
  chance !== null && chance >= MIN_CHANCE ? percent(chance) : '';
const [oneDecimal, twoDecimals] = [decimals(1), decimals(2)];
/** Whether an amount would be rounded to zero, although it is more. */
const isTrace = (amount: number, least: number) => amount > 0 && amount < least;

const kilometers = roughly('kilometer');
const METRIC: Units = {
  temperature: withUnit('celsius'),
  degrees: (celsius) => `${whole(celsius)}°`,
  speed: withUnit('kilometer-per-hour'),
  pressure: (hPa) => `${whole(hPa)} hPa`,
  amount: (millimeters) => (isTrace(millimeters, 0.05) ? '<0.1' : oneDecimal(millimeters)),
  amountUnit: 'mm',
  depth: withUnit('centimeter', 1),
  distance: (meters) => kilometers(meters / 1000),
};

const KM_PER_MILE = 1.609344;
const MM_PER_INCH = 25.4;
/** Hectopascals of one inch of mercury. */
const HPA_PER_INCH = 33.8639;
const toFahrenheit = (celsius: number) => celsius * 1.8 + 32;
const [fahrenheit, milesPerHour] = [withUnit('fahrenheit'), withUnit('mile-per-hour')];
const [miles, inches] = [roughly('mile'), withUnit('inch', 1)];
const IMPERIAL: Units = {
  temperature: (celsius) => fahrenheit(toFahrenheit(celsius)),
  degrees: (celsius) => `${whole(toFahrenheit(celsius))}°`,
  speed: (kmPerHour) => milesPerHour(kmPerHour / KM_PER_MILE),
  pressure: (hPa) => `${twoDecimals(hPa / HPA_PER_INCH)} inHg`,
  amount: (millimeters) => {
    const amount = millimeters / MM_PER_INCH;
    return isTrace(amount, 0.005) ? '<0.01' : twoDecimals(amount);
  },
  amountUnit: 'in',
  depth: (centimeters) => inches((centimeters * 10) / MM_PER_INCH),
  distance: (meters) => miles(meters / 1000 / KM_PER_MILE),
};

export const formatsOf = (system: System, isTwelveHours: boolean, language: string): Formats => ({
  ...(system === 'imperial' ? IMPERIAL : METRIC),
  ...clockOf(isTwelveHours),
  language,
});

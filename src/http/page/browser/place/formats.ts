/** How the page writes numbers, by the units that the user has chosen. */
import type { System } from '../state/store.js';

const numbers = (options: Intl.NumberFormatOptions) => {
  const format = new Intl.NumberFormat('en', { ...options, signDisplay: 'negative' });
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
const METRIC = {
  /** Formats a temperature in whole degrees with its unit: `4°C`. */
  temperature: withUnit('celsius'),
  /** Formats a temperature in whole degrees without its unit: `4°`. */
  degrees: (celsius: number) => `${whole(celsius)}°`,
  speed: withUnit('kilometer-per-hour'),
  pressure: (hPa: number) => `${whole(hPa)} hPa`,
  /** Formats an amount of precipitation without its unit: `0.4`, or `<0.1`. */
  amount: (mm: number) => (isTrace(mm, 0.05) ? '<0.1' : oneDecimal(mm)),
  amountUnit: 'mm',
  /** Formats a depth of snow: `3.5 cm`. */
  depth: withUnit('centimeter', 1),
  /** Formats a visibility. */
  distance: (meters: number) => kilometers(meters / 1000),
};

const KM_PER_MILE = 1.609344;
const MM_PER_INCH = 25.4;
/** Hectopascals of one inch of mercury. */
const HPA_PER_INCH = 33.8639;
const toFahrenheit = (celsius: number) => celsius * 1.8 + 32;
const [fahrenheit, milesPerHour] = [withUnit('fahrenheit'), withUnit('mile-per-hour')];
const [miles, inches] = [roughly('mile'), withUnit('inch', 1)];
const IMPERIAL: typeof METRIC = {
  temperature: (celsius) => fahrenheit(toFahrenheit(celsius)),
  degrees: (celsius) => METRIC.degrees(toFahrenheit(celsius)),
  speed: (kmPerHour) => milesPerHour(kmPerHour / KM_PER_MILE),
  pressure: (hPa) => `${twoDecimals(hPa / HPA_PER_INCH)} inHg`,
  amount: (mm) => (isTrace(mm, 0.127) ? '<0.01' : twoDecimals(mm / MM_PER_INCH)),
  amountUnit: 'in',
  depth: (centimeters) => inches((centimeters * 10) / MM_PER_INCH),
  distance: (meters) => miles(meters / 1000 / KM_PER_MILE),
};

export type Formats = ReturnType<typeof formatsOf>;

/** @param language of the descriptions of the weather (BCP 47) */
export const formatsOf = (system: System, language: string) => ({
  ...(system === 'imperial' ? IMPERIAL : METRIC),
  language,
});

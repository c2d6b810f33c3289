/** How the page writes numbers, by the units that the user has chosen. */
import type { UnitSystem } from '../state/page-state.js';

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

export const whole = decimals(0);
export const percent = withUnit('percent');
/** Percent below which a chance of precipitation is not worth reading. */
const MIN_CHANCE = 10;
/** Formats a chance of precipitation at a glance; empty if it is not worth reading. */
export const chanceText = (chance: number | null) =>
  chance !== null && chance >= MIN_CHANCE ? percent(chance) : '';

/** Creates a function that formats an amount of precipitation: `0.4 mm`, or `<0.1 mm` for what would be rounded to zero. */
const amounts = (unit: string, fractionDigits: number) => {
  const format = withUnit(unit, fractionDigits);
  const least = 10 ** -fractionDigits;
  return (amount: number) =>
    amount > 0 && amount < least / 2 ? `<${format(least)}` : format(amount);
};

/** Creates a function that formats a value in another unit. @param factor of that unit */
const times = (factor: number, format: (value: number) => string) => (value: number) =>
  format(value * factor);

const METRIC = {
  /** Formats a temperature in whole degrees with its unit: `4°C`. */
  temperature: withUnit('celsius'),
  /** Formats a temperature in whole degrees without its unit: `4°`. */
  degrees: (celsius: number) => `${whole(celsius)}°`,
  speed: withUnit('kilometer-per-hour'),
  pressure: (hPa: number) => `${whole(hPa)} hPa`,
  amount: amounts('millimeter', 1),
  /** Formats a depth of snow: `3.5 cm`. */
  depth: withUnit('centimeter', 1),
  /** Formats a visibility in meters. */
  distance: times(1 / 1000, roughly('kilometer')),
};

const MILES_PER_KM = 1 / 1.609344;
const INCHES_PER_MM = 1 / 25.4;
/** Inches of mercury of one hectopascal. */
const INCHES_PER_HPA = 1 / 33.8639;
const toFahrenheit = (celsius: number) => celsius * 1.8 + 32;
const [fahrenheit, twoDecimals] = [withUnit('fahrenheit'), decimals(2)];
const IMPERIAL: typeof METRIC = {
  temperature: (celsius) => fahrenheit(toFahrenheit(celsius)),
  degrees: (celsius) => METRIC.degrees(toFahrenheit(celsius)),
  speed: times(MILES_PER_KM, withUnit('mile-per-hour')),
  pressure: (hPa) => `${twoDecimals(hPa * INCHES_PER_HPA)} inHg`,
  amount: times(INCHES_PER_MM, amounts('inch', 2)),
  depth: times(10 * INCHES_PER_MM, withUnit('inch', 1)),
  distance: times(MILES_PER_KM / 1000, roughly('mile')),
};

export type Formats = ReturnType<typeof formatsOf>;

/** @param language of the descriptions of the weather (BCP 47) */
export const formatsOf = (system: UnitSystem, language: string) => ({
  ...(system === 'imperial' ? IMPERIAL : METRIC),
  language,
});

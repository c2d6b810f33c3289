/** How the page writes numbers, by the units that the user has chosen. */
import { fill, locale, t } from '../state/language.js';
import { getState } from '../state/page-state.js';

/** Formats a number with at most this number of decimals. */
function numbers(decimals: number, options: Intl.NumberFormatOptions = {}) {
  const format = new Intl.NumberFormat(locale, { ...options, maximumFractionDigits: decimals });
  // The sum of zeros has no sign, and the formatter writes a hyphen instead of a minus sign.
  return (value: number) => format.format(Number(value.toFixed(decimals)) + 0).replace('-', '−');
}

/** Formats a quantity in another unit. What is not zero is never shown as zero: `<0.1 mm`. */
function quantity(unit: string, decimals: number, factor = 1) {
  const least = 10 ** -decimals;
  const withoutZero = (options: Intl.NumberFormatOptions) => {
    const format = numbers(decimals, options);
    return (value: number) => {
      const own = value * factor;
      return own > 0 && own < least / 2 ? `<${format(least)}` : format(own);
    };
  };
  const style = { style: 'unit', unit } as const;
  const parts = new Intl.NumberFormat(locale, style).formatToParts(2);
  return {
    text: withoutZero(style),
    /** The same without the unit, for a column whose title has it. */
    number: withoutZero({}),
    unit: parts.find(({ type }) => type === 'unit')?.value ?? '',
  };
}

/** Formats a large distance, which needs no decimals. */
function roughly(unit: string, factor: number) {
  const options = { style: 'unit', unit, maximumSignificantDigits: 2 } as const;
  const format = new Intl.NumberFormat(locale, options);
  return (value: number) => format.format(value * factor);
}

/** Percent below which a chance of precipitation is not worth reading. */
const MIN_CHANCE = 10;
const MILES_PER_KM = 1 / 1.609344;
const INCHES_PER_MM = 1 / 25.4;
/** Inches of mercury of one hectopascal. */
const INCHES_PER_HPA = 1 / 33.8639;
const toFahrenheit = (celsius: number) => celsius * 1.8 + 32;

function create(isImperial: boolean) {
  const whole = numbers(0);
  const percent = quantity('percent', 0).text;
  const own = isImperial ? toFahrenheit : (celsius: number) => celsius;
  const degrees = numbers(0, { style: 'unit', unit: isImperial ? 'fahrenheit' : 'celsius' });
  const inches = numbers(2);
  return {
    percent,
    index: quantity('percent', 0).number,
    /** Formats a chance of precipitation at a glance; empty if it is not worth reading. */
    chance: (chance: number | null) =>
      chance !== null && chance >= MIN_CHANCE ? percent(chance) : '',
    /** Formats a temperature in whole degrees with its unit: `4°C`. */
    temperature: (celsius: number) => degrees(own(celsius)),
    /** Formats a temperature in whole degrees without its unit: `4°`. */
    degrees: (celsius: number) => `${whole(own(celsius))}°`,
    speed: isImperial
      ? quantity('mile-per-hour', 0, MILES_PER_KM)
      : quantity('kilometer-per-hour', 0),
    amount: isImperial ? quantity('inch', 2, INCHES_PER_MM) : quantity('millimeter', 1),
    /** An amount in an hour. */
    rate: isImperial
      ? quantity('inch-per-hour', 2, INCHES_PER_MM)
      : quantity('millimeter-per-hour', 1),
    /** A depth of snow in centimeters. */
    depth: isImperial ? quantity('inch', 1, 10 * INCHES_PER_MM) : quantity('centimeter', 1),
    pressure: (hPa: number) =>
      isImperial ? `${inches(hPa * INCHES_PER_HPA)} inHg` : fill(t.hectopascals, whole(hPa)),
    /** Formats a visibility in meters. */
    distance: isImperial ? roughly('mile', MILES_PER_KM / 1000) : roughly('kilometer', 1 / 1000),
  };
}

const FORMATS = { metric: create(false), imperial: create(true) };

/** Returns the formats for the units that the user has chosen. */
export const formats = () => FORMATS[getState().system];

/** Formats a value, unless it is null. */
export const formatIfKnown = <Value>(value: Value | null, format: (value: Value) => string) =>
  value === null ? null : format(value);

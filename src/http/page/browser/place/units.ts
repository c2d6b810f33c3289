/** Formats values in the units that the user chose. */

export type System = 'metric' | 'imperial';

export interface Units {
  /** Formats a temperature in whole degrees with its unit: `4 °C`. */
  temperature: (celsius: number) => string;
  /** Formats a temperature in whole degrees without its unit: `4°`. */
  degrees: (celsius: number) => string;
  speed: (kmPerHour: number) => string;
  pressure: (hPa: number) => string;
  /** Formats an amount of precipitation without its unit: `0.4`, or `<0.1`. */
  amount: (millimeters: number) => string;
  /** The unit of `amount`: `mm` or `in`. */
  amountUnit: string;
  /** Formats a depth of snow: `3 cm`. */
  depth: (centimeters: number) => string;
  /** Formats a visibility. */
  distance: (meters: number) => string;
}

const KM_PER_MILE = 1.609344;
const MM_PER_INCH = 25.4;
/** Hectopascals of one inch of mercury. */
const HPA_PER_INCH = 33.8639;

const format = (decimals: number) => {
  const numbers = new Intl.NumberFormat('en', {
    maximumFractionDigits: decimals,
    signDisplay: 'negative',
  });
  // The formatter writes a hyphen instead of a minus sign.
  return (value: number) => numbers.format(value).replace('-', '−');
};
const [whole, oneDecimal, twoDecimals] = [format(0), format(1), format(2)];
/** Whether an amount would be rounded to zero, although it is more. */
const isTrace = (amount: number, least: number) => amount > 0 && amount < least;
/** Large distances need no decimals. */
const rough = (value: number) => (value < 10 ? oneDecimal(value) : whole(value));

const METRIC: Units = {
  temperature: (celsius) => `${whole(celsius)} °C`,
  degrees: (celsius) => `${whole(celsius)}°`,
  speed: (kmPerHour) => `${whole(kmPerHour)} km/h`,
  pressure: (hPa) => `${whole(hPa)} hPa`,
  amount: (millimeters) => (isTrace(millimeters, 0.05) ? '<0.1' : oneDecimal(millimeters)),
  amountUnit: 'mm',
  depth: (centimeters) => `${rough(centimeters)} cm`,
  distance: (meters) => `${rough(meters / 1000)} km`,
};

const toFahrenheit = (celsius: number) => celsius * 1.8 + 32;
const IMPERIAL: Units = {
  temperature: (celsius) => `${whole(toFahrenheit(celsius))} °F`,
  degrees: (celsius) => `${whole(toFahrenheit(celsius))}°`,
  speed: (kmPerHour) => `${whole(kmPerHour / KM_PER_MILE)} mph`,
  pressure: (hPa) => `${twoDecimals(hPa / HPA_PER_INCH)} inHg`,
  amount: (millimeters) => {
    const inches = millimeters / MM_PER_INCH;
    return isTrace(inches, 0.005) ? '<0.01' : twoDecimals(inches);
  },
  amountUnit: 'in',
  depth: (centimeters) => `${oneDecimal((centimeters * 10) / MM_PER_INCH)} in`,
  distance: (meters) => `${rough(meters / 1000 / KM_PER_MILE)} mi`,
};

export const unitsOf = (system: System): Units => (system === 'imperial' ? IMPERIAL : METRIC);

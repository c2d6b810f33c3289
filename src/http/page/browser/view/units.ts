/** Formats values in the units that the user chose. */

/** The values of the form with the units. */
export interface Choice {
  temperature: string;
  wind: string;
}

export interface Units {
  /** Formats a temperature with at most one decimal and its unit: `4.1 °C`. */
  temperature: (celsius: number) => string;
  /** Rounds a temperature to whole degrees, without its unit: `4`. */
  degrees: (celsius: number) => string;
  /** The unit of `degrees`: `°C` or `°F`. */
  temperatureUnit: string;
  /** Formats a wind speed with its unit. */
  wind: (kmPerHour: number) => string;
}

const KM_PER_MILE = 1.609344;
const oneDecimal = new Intl.NumberFormat('en', {
  maximumFractionDigits: 1,
  signDisplay: 'negative',
});
const noDecimals = new Intl.NumberFormat('en', {
  maximumFractionDigits: 0,
  signDisplay: 'negative',
});
/** Writes a minus sign, where the formatter writes a hyphen. */
const withMinus = (text: string) => text.replace('-', '−');

export function unitsOf({ temperature, wind }: Choice): Units {
  const isFahrenheit = temperature === 'F';
  const temperatureUnit = isFahrenheit ? '°F' : '°C';
  const inChosenUnit = (celsius: number) => (isFahrenheit ? celsius * 1.8 + 32 : celsius);
  return {
    temperature: (celsius) =>
      `${withMinus(oneDecimal.format(inChosenUnit(celsius)))} ${temperatureUnit}`,
    degrees: (celsius) => withMinus(noDecimals.format(inChosenUnit(celsius))),
    temperatureUnit,
    wind: (kmPerHour) =>
      wind === 'mph'
        ? `${oneDecimal.format(kmPerHour / KM_PER_MILE)} mph`
        : `${oneDecimal.format(kmPerHour)} km/h`,
  };
}

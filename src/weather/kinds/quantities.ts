/**
 * The quantities of the weather: one row for each. Types, plausibility rules, schemas of responses
 * and of MCP, the reading of cache entries, and rounding follow from the row.
 */

interface Row {
  /** The quantity, as the beginning of a sentence. */
  what: string;
  /** In words. Empty: the quantity has no unit. */
  unit: string;
  decimals: number;
  /**
   * Bounds, wider than any measured record. A value beyond them is null, because some services
   * report a missing value as such a number. If the kind requires the quantity, the value fails.
   */
  min: number;
  max: number;
  /** A value beyond a bound by at most this becomes the bound: instruments can exceed 100 %. */
  slack?: { below: number; above: number };
  /** Further sentences of the description. */
  note?: string;
  example: number | null;
}

const CELSIUS = { unit: 'degrees Celsius', decimals: 1, min: -130, max: 80 };
const PERCENT = {
  unit: 'percent',
  decimals: 0,
  min: 0,
  max: 100,
  slack: { below: 2, above: 5 },
};
const KMH = { unit: 'kilometers per hour', decimals: 1, min: 0, max: 600 };
const HECTOPASCALS = { unit: 'hectopascals', decimals: 1, min: 800, max: 1150 };
const MILLIMETERS = { unit: 'millimeters', decimals: 2, min: 0, max: 2500 };
const CENTIMETERS = { unit: 'centimeters', decimals: 2, min: 0, max: 1000 };
const METERS = { unit: 'meters', decimals: 0, min: 0, max: 1_000_000 };
const DEGREES = { unit: 'degrees', decimals: 0, min: 0, max: 360 };
const SECONDS_OF_DAY = { unit: 'seconds', decimals: 0, min: 0, max: 86_400 };
const UV_INDEX = { unit: '', decimals: 1, min: 0, max: 60 };
const ONLY_OPEN_METEO = 'Only Open-Meteo has it.';
const AIR_INDEX = { unit: '', decimals: 0, min: 0, max: 10_000 };
const MICROGRAMS = { unit: 'micrograms per cubic meter', decimals: 1, min: 0, max: 100_000 };
const GRAINS = {
  ...{ unit: 'grains per cubic meter', decimals: 1, min: 0, max: 100_000 },
  note: ONLY_OPEN_METEO,
  example: null,
};
const PHASE = { unit: '', decimals: 2, min: 0, max: 1 };

/** The rows, in the order in which responses have their values. */
export const QUANTITIES = {
  temperature: { what: 'Temperature', ...CELSIUS, example: 8.4 },
  feels_like: {
    what: 'Apparent temperature',
    note: 'By the provider, or by the rule of Yr if it has none.',
    ...CELSIUS,
    min: -180,
    max: 150,
    example: 5.9,
  },
  temperature_min: { what: 'Lowest temperature', ...CELSIUS, example: 4.1 },
  temperature_max: { what: 'Highest temperature', ...CELSIUS, example: 9 },
  humidity: { what: 'Relative humidity', ...PERCENT, example: 87 },
  dew_point: { what: 'Dew point', ...CELSIUS, min: -150, max: 60, example: 6.4 },
  pressure: { what: 'Pressure at sea level', ...HECTOPASCALS, example: 1009.2 },
  cloud_cover: { what: 'Part of the sky covered by clouds', ...PERCENT, example: 100 },
  precipitation_probability: { what: 'Probability of precipitation', ...PERCENT, example: 61 },
  precipitation: { what: 'Precipitation', ...MILLIMETERS, example: 0.4 },
  snowfall: { what: 'Fresh snow', ...CENTIMETERS, example: 0 },
  wind_speed: { what: 'Wind speed', ...KMH, example: 11.2 },
  wind_direction: {
    what: 'Direction that the wind comes from',
    note: '0 or 360 is north, 90 is east; null in a calm.',
    ...DEGREES,
    example: 210,
  },
  wind_gusts: { what: 'Speed of gusts', ...KMH, example: 24.1 },
  wind_speed_max: { what: 'Highest wind speed', ...KMH, example: 18.4 },
  wind_gusts_max: { what: 'Highest speed of gusts', ...KMH, example: 39.6 },
  visibility: { what: 'Visibility', ...METERS, example: null },
  uv_index: { what: 'UV index', ...UV_INDEX, example: null },
  uv_index_max: { what: 'Highest UV index', ...UV_INDEX, example: 0.9 },
  day_length: {
    what: 'Time from sunrise to sunset',
    note: '86,400 if the sun does not set, 0 if it does not rise.',
    ...SECONDS_OF_DAY,
    example: 32_220,
  },
  moon_phase: {
    what: 'Phase of the moon at local noon',
    note: '0 and 1 are new moon, 0.25 is the first quarter, 0.5 full moon, 0.75 the last quarter.',
    ...PHASE,
    example: 0.48,
  },
  european_aqi: { what: 'European air quality index of 2024', ...AIR_INDEX, example: 37 },
  us_aqi: {
    what: 'Air quality index of the US EPA',
    ...AIR_INDEX,
    // Above, the table of Open-Meteo is not that of the EPA of 2024.
    max: 300,
    note: `${ONLY_OPEN_METEO} Null above 300, where its table differs from that of the EPA.`,
    example: 56,
  },
  pm2_5: { what: 'Particles below 2.5 µm', ...MICROGRAMS, example: 13.7 },
  pm10: { what: 'Particles below 10 µm', ...MICROGRAMS, example: 25.3 },
  ozone: { what: 'Ozone', ...MICROGRAMS, example: 48 },
  nitrogen_dioxide: { what: 'Nitrogen dioxide', ...MICROGRAMS, example: 5.7 },
  sulphur_dioxide: { what: 'Sulfur dioxide', ...MICROGRAMS, example: 1.7 },
  carbon_monoxide: { what: 'Carbon monoxide', ...MICROGRAMS, example: 201 },
  alder_pollen: { what: 'Pollen of alder', ...GRAINS },
  birch_pollen: { what: 'Pollen of birch', ...GRAINS },
  grass_pollen: { what: 'Pollen of grass', ...GRAINS },
  mugwort_pollen: { what: 'Pollen of mugwort', ...GRAINS },
  olive_pollen: { what: 'Pollen of olive', ...GRAINS },
  ragweed_pollen: { what: 'Pollen of ragweed', ...GRAINS },
} satisfies Record<string, Row>;

export type Quantity = keyof typeof QUANTITIES;

export const rowOf = (quantity: Quantity): Row => QUANTITIES[quantity];

/** The names in the order of the table. */
export const inTableOrder = (names: readonly Quantity[]): Quantity[] =>
  (Object.keys(QUANTITIES) as Quantity[]).filter((name) => names.includes(name));

/** Returns what `plausibleValue` returns, rounded to the decimals of the quantity. */
export function roundedPlausibleValue(quantity: Quantity, input: unknown): number | null {
  const value = plausibleValue(quantity, input);
  if (value === null) return null;
  const scale = 10 ** QUANTITIES[quantity].decimals;
  // Changes -0 into 0.
  return Math.round(value * scale) / scale + 0;
}

/** Returns the value limited to the quantity's bounds; null if it is missing or implausible. */
export function plausibleValue(quantity: Quantity, input: unknown): number | null {
  const { min, max, slack = { below: 0, above: 0 } } = rowOf(quantity);
  if (typeof input !== 'number') return null;
  // NaN is within no bounds.
  if (!(input >= min - slack.below && input <= max + slack.above)) return null;
  return Math.min(Math.max(input, min), max);
}

export function isPlausible(quantity: Quantity, value: unknown): value is number {
  return value !== null && roundedPlausibleValue(quantity, value) === value;
}

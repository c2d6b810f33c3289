/** The bounds of a quantity, and the number of its decimals in a response. */
interface Bounds {
  least: number;
  most: number;
  decimals: number;
  /** A value that is below `least` by at most this becomes `least`. */
  undershoot?: number;
  /** A value that is above `most` by at most this becomes `most`. */
  overshoot?: number;
}

/** Percent. Instruments can report slightly less than 0 and slightly more than 100. */
const PERCENTAGE = { least: 0, most: 100, decimals: 0, undershoot: 2, overshoot: 5 };

/**
 * The one rule for values of providers and of stored entries: the quantities of responses, in the units of the public
 * contract. The bounds are wider than any measured record. Some services report a missing value as a number outside of them.
 */
const QUANTITIES = {
  /** Degrees Celsius. */
  temperature: { least: -130, most: 80, decimals: 1 },
  /** Degrees Celsius. Wind and humid heat make it more extreme than the temperature. */
  feels_like: { least: -180, most: 150, decimals: 1 },
  /** Degrees Celsius. */
  dew_point: { least: -150, most: 60, decimals: 1 },
  humidity: PERCENTAGE,
  /** Hectopascals at sea level. */
  pressure: { least: 800, most: 1150, decimals: 1 },
  /** Percent of the sky. */
  cloud_cover: PERCENTAGE,
  /** Millimeters of water: of an hour, or of a day. */
  precipitation: { least: 0, most: 2500, decimals: 2 },
  precipitation_probability: PERCENTAGE,
  /** Kilometers per hour. */
  wind_speed: { least: 0, most: 600, decimals: 1 },
  /** Degrees from north, clockwise. The wind comes from there. */
  wind_direction: { least: 0, most: 360, decimals: 0 },
  /** Kilometers per hour. */
  wind_gusts: { least: 0, most: 600, decimals: 1 },
  /** Meters. */
  visibility: { least: 0, most: 1_000_000, decimals: 0 },
  /** The UV index, which has no unit. */
  uv_index: { least: 0, most: 60, decimals: 1 },
} satisfies Record<string, Bounds>;

/** The name of a quantity. */
export type Quantity = keyof typeof QUANTITIES;

/**
 * The value of a quantity, rounded as the public contract requires; null if the input is missing, not a finite number, or
 * impossible on Earth.
 */
export function plausible(quantity: Quantity, input: unknown): number | null {
  const value = bounded(quantity, input);
  if (value === null) return null;
  const scale = 10 ** QUANTITIES[quantity].decimals;
  // Changes -0 into 0.
  return Math.round(value * scale) / scale + 0;
}

/** Does the same as `plausible`, but does not round: for values from which others are computed. */
export function bounded(quantity: Quantity, input: unknown): number | null {
  const bounds: Bounds = QUANTITIES[quantity];
  const { least, most, undershoot = 0, overshoot = 0 } = bounds;
  if (typeof input !== 'number') return null;
  // NaN is within no bounds.
  if (!(input >= least - undershoot && input <= most + overshoot)) return null;
  return Math.min(Math.max(input, least), most);
}

/** Whether a value is one that `plausible` returns for a quantity. */
export function isPlausible(quantity: Quantity, value: unknown): value is number {
  return plausible(quantity, value) === value && value !== null;
}

/** Whether an optional value of a quantity is plausible, or absent. */
export function isPlausibleOrAbsent(quantity: Quantity, value: unknown): boolean {
  return value == null || isPlausible(quantity, value);
}

/** The bounds of a quantity, and the number of its decimals in a response. */
interface Quantity {
  least: number;
  most: number;
  decimals: number;
}

/**
 * The quantities of responses, in the units of the public contract. The bounds are wider than any measured record. Some
 * services report a missing value as a number outside of them.
 */
export const QUANTITIES = {
  /** Degrees Celsius. */
  temperature: { least: -130, most: 80, decimals: 1 },
  /** Degrees Celsius. Wind and humid heat make it more extreme than the temperature. */
  feels_like: { least: -180, most: 150, decimals: 1 },
  /** Degrees Celsius. */
  dew_point: { least: -150, most: 60, decimals: 1 },
  /** Percent. */
  humidity: { least: 0, most: 100, decimals: 0 },
  /** Hectopascals at sea level. */
  pressure: { least: 800, most: 1150, decimals: 1 },
  /** Percent of the sky. */
  cloud_cover: { least: 0, most: 100, decimals: 0 },
  /** Millimeters of water: of an hour, or of a day. */
  precipitation: { least: 0, most: 2500, decimals: 2 },
  /** Percent. */
  precipitation_probability: { least: 0, most: 100, decimals: 0 },
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
} as const satisfies Record<string, Quantity>;

/** The name of a quantity. */
export type QuantityName = keyof typeof QUANTITIES;

/** Whether a value is a number that is possible for a quantity: in its bounds, and whole if it has no decimals. */
export function isPossible(name: QuantityName, value: unknown): value is number {
  const { least, most, decimals } = QUANTITIES[name];
  if (typeof value !== 'number' || (decimals === 0 && !Number.isInteger(value))) return false;
  return value >= least && value <= most;
}

/** The end of the year 9999 in milliseconds since the Unix epoch. A later date has no usual form. */
const LAST_INSTANT = 253_402_300_799_999;

/** Whether a value is an instant in milliseconds since the Unix epoch. */
export function isInstant(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LAST_INSTANT;
}

/** Whether an optional value of a quantity is possible, or absent. */
export function isPossibleOrAbsent(name: QuantityName, value: unknown): boolean {
  return value == null || isPossible(name, value);
}

/**
 * Rounds an optional value as responses have it.
 * @returns null if the value is missing or impossible: an optional value never costs the rest of a response
 */
export function rounded(name: QuantityName, value: number | null | undefined): number | null {
  if (value == null) return null;
  const factor = 10 ** QUANTITIES[name].decimals;
  // Adding 0 changes -0, which rounding can return, into 0.
  const result = Math.round(value * factor) / factor + 0;
  return isPossible(name, result) ? result : null;
}

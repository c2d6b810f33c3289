/**
 * The one rule for values of providers and of stored entries: the quantities, their bounds, and the decimals that the public
 * contract has. Bounds are wider than any measured record. Some services report a missing value as a number outside of them.
 */
const QUANTITIES = {
  /** Degrees Celsius. */
  temperature: { least: -130, most: 80, decimals: 1 },
  /** Kilometers per hour. */
  windSpeed: { least: 0, most: 600, decimals: 1 },
  /** Percent. Instruments can report slightly less than 0 and slightly more than 100. */
  percentage: { least: 0, most: 100, decimals: 0, undershoot: 2, overshoot: 5 },
} satisfies Record<string, Bounds>;

interface Bounds {
  least: number;
  most: number;
  decimals: number;
  /** A value that is below `least` by at most this becomes `least`. */
  undershoot?: number;
  /** A value that is above `most` by at most this becomes `most`. */
  overshoot?: number;
}

export type Quantity = keyof typeof QUANTITIES;

/**
 * The value of a quantity, rounded as the public contract requires; null if the input is missing, not a finite number, or
 * impossible on Earth.
 */
export function plausible(quantity: Quantity, input: unknown): number | null {
  const bounds: Bounds = QUANTITIES[quantity];
  const { least, most, decimals, undershoot = 0, overshoot = 0 } = bounds;
  if (typeof input !== 'number') return null;
  // NaN is within no bounds.
  if (!(input >= least - undershoot && input <= most + overshoot)) return null;
  const scale = 10 ** decimals;
  const rounded = Math.round(Math.min(Math.max(input, least), most) * scale) / scale;
  // Changes -0 into 0.
  return rounded + 0;
}

/** Whether a value is one that `plausible` returns for a quantity. */
export function isPlausible(quantity: Quantity, value: unknown): value is number {
  return plausible(quantity, value) === value && value !== null;
}

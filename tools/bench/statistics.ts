/** Two measurements of one round: what is measured, and what it is compared with. */
export interface Pair {
  value: number;
  reference: number;
}

/** The median of the ratios of several pairs, with the figures for the reader. */
export interface Comparison {
  ratio: number;
  /** Lowest and highest ratio, and the median of both figures with their unit. */
  details: string;
}

/** The middle value, or the mean of the middle two; NaN if there are no values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)]!;
  return ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

/** Three digits without an exponent: `0.850`, `12.0`, or `3,080`. */
const figure = (value: number): string =>
  value.toLocaleString('en-US', { minimumSignificantDigits: 3, maximumSignificantDigits: 3 });

/**
 * Compares pairs that were measured right after one another. If the machine is slow for a while,
 * both figures of a pair are affected, so their ratio is more stable than the figures.
 */
export function comparePairs(pairs: readonly Pair[], unit: string): Comparison {
  const ratios = pairs.map(({ value, reference }) => value / reference);
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const value = median(pairs.map((pair) => pair.value));
  const reference = median(pairs.map((pair) => pair.reference));
  return {
    ratio: median(ratios),
    details: `${range}; ${figure(value)} and ${figure(reference)} ${unit}`,
  };
}

/** The middle value; of an even number of values the mean of the middle two. NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)]!;
  return ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

/**
 * The smallest value that at least this share of the values does not exceed (nearest rank).
 * @param share above 0, at most 1
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? NaN;
}

/**
 * The median of the ratios of pairs that were measured right after one another. What disturbs the
 * machine for a while disturbs both of a pair, so it leaves their ratio alone.
 */
export function medianRatio(pairs: readonly { value: number; over: number }[]): number {
  return median(pairs.map(({ value, over }) => value / over));
}

/** Lowest and highest, for the reader to see how much the rounds differ. */
export function spread(values: readonly number[]): { lowest: number; highest: number } {
  return { lowest: Math.min(...values), highest: Math.max(...values) };
}

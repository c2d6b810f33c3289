/** Finds the first index from `from` to before `to` from which on a condition holds, or `to`. */
export function firstIndex(
  from: number,
  to: number,
  satisfies: (index: number) => boolean,
): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (satisfies(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Finds a number in an ascending list by binary search.
 * @returns the first index from `from` to before `to` whose number is at least `number`, or `to`
 */
export function lowerBound(
  ascending: ArrayLike<number>,
  number: number,
  from = 0,
  to = ascending.length,
): number {
  return firstIndex(from, to, (index) => (ascending[index] ?? Infinity) >= number);
}

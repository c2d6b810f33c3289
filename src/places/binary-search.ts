/**
 * Finds a number in an ascending list by binary search.
 * @returns the first index from `from` to before `to` whose number is not less than `number`, or `to` if there is none
 */
export function lowerBound(
  ascending: ArrayLike<number>,
  number: number,
  from = 0,
  to = ascending.length,
): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? Infinity) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

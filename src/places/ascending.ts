/**
 * Where a number stands, or would stand, in an ascending list.
 * @returns the first index from `from` to before `to` whose number is not less; `to` without one
 */
export function firstNotLess(
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

/** Counts how many edits two texts are apart; it may stop as soon as they are more than the limit. */
export type EditDistance = (a: ArrayLike<number>, b: ArrayLike<number>, limit: number) => number;

/**
 * Optimal string alignment: a letter inserted, dropped or changed, or two neighbours swapped.
 *
 * @param longest the length of the longest `b`
 */
export function createEditDistance(longest: number): EditDistance {
  const width = longest + 1;
  let before = new Uint8Array(width);
  let previous = new Uint8Array(width);
  let current = new Uint8Array(width);
  return (a, b, limit) => {
    for (let j = 0; j <= b.length; j++) previous[j] = j;
    for (let i = 1; i <= a.length; i++) {
      current[0] = i;
      let least = i;
      for (let j = 1; j <= b.length; j++) {
        const same = a[i - 1] === b[j - 1] ? 0 : 1;
        let edits = Math.min(
          (previous[j - 1] ?? 0) + same,
          (previous[j] ?? 0) + 1,
          (current[j - 1] ?? 0) + 1,
        );
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
          edits = Math.min(edits, (before[j - 2] ?? 0) + 1);
        }
        current[j] = edits;
        if (edits < least) least = edits;
      }
      if (least > limit) return least;
      [before, previous, current] = [previous, current, before];
    }
    return previous[b.length] ?? 0;
  };
}

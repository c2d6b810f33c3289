/**
 * Creates the function that counts the edits between two texts (optimal string alignment distance):
 * an edit inserts, deletes, or replaces a letter, or swaps two adjacent letters. It may stop at any
 * number above `limit`.
 */
export function createEditDistance() {
  let before: number[] = [];
  let previous: number[] = [];
  let current: number[] = [];
  return (a: ArrayLike<number>, b: ArrayLike<number>, limit: number): number => {
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

/**
 * A segment tree over scored items: finds the item with the highest score in any range in logarithmic time.
 */
export interface SegmentTree {
  /** The item with the highest score from `from` to before `to`; of equal ones the first. */
  best(from: number, to: number): number;
  score(item: number): number;
}

/** An item with its score. */
export interface ScoredItem {
  item: number;
  score: number;
}

/** A range of the items of a tree. `bestFirst` divides the scores of its items by `divisor`. */
export interface WeightedRange {
  tree: SegmentTree;
  from: number;
  to: number;
  divisor: number;
}

/** Items per leaf. Within a leaf, every item is compared. */
export const LEAF_SIZE = 16;

export type Score = (item: number) => number;

/**
 * Queries an array with the best item of each leaf in the second half, before them the best of every two, up to the best
 * item of all at index 1. `score` must be the function with which `tools/gazetteer/segment-tree.ts` built the array.
 */
export function openSegmentTree(nodes: Uint32Array, score: Score): SegmentTree {
  const leaves = nodes.length / 2;
  return {
    score,
    best(from, to) {
      let left = Math.ceil(from / LEAF_SIZE);
      let right = Math.floor(to / LEAF_SIZE);
      if (left >= right) return bestOf(from, to, score);
      let best = bestOf(from, left * LEAF_SIZE, score);
      if (right * LEAF_SIZE < to) best = better(best, bestOf(right * LEAF_SIZE, to, score), score);
      for (left += leaves, right += leaves; left < right; left >>= 1, right >>= 1) {
        if (left & 1) best = better(best, nodes[left++] ?? 0, score);
        if (right & 1) best = better(best, nodes[--right] ?? 0, score);
      }
      return best;
    },
  };
}

/** Returns the better of two items; of equal ones the first. */
export function better(a: number, b: number, score: Score): number {
  const [first, second] = a < b ? [a, b] : [b, a];
  return score(second) > score(first) ? second : first;
}

/** Returns the best item from `from` to before `to` by comparing all of them. */
export function bestOf(from: number, to: number, score: Score): number {
  let best = from;
  let highest = score(from);
  for (let item = from + 1; item < to; item++) {
    const value = score(item);
    if (value > highest) {
      best = item;
      highest = value;
    }
  }
  return best;
}

/** Yields the items of all ranges, highest score first. It scores only as many items as the caller consumes. */
export function* bestFirst(ranges: WeightedRange[]): Generator<ScoredItem> {
  const open = ranges.filter(({ from, to }) => from < to).map(withBest);
  for (;;) {
    let next: OpenRange | undefined;
    for (const each of open) if (!next || each.score > next.score) next = each;
    if (!next) return;
    const { tree, from, to, divisor, item, score } = next;
    open.splice(open.indexOf(next), 1);
    if (from < item) open.push(withBest({ tree, from, to: item, divisor }));
    if (item + 1 < to) open.push(withBest({ tree, from: item + 1, to, divisor }));
    yield { item, score };
  }
}

type OpenRange = WeightedRange & ScoredItem;

function withBest(range: WeightedRange): OpenRange {
  const item = range.tree.best(range.from, range.to);
  return { ...range, item, score: range.tree.score(item) / range.divisor };
}

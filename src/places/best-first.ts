/** Numbered items, of which the best of any range is found in a few steps. */
export interface Ranked {
  /** The item of most worth from `from` to before `to`; of equal ones the first. */
  best(from: number, to: number): number;
  worth(item: number): number;
}

/** A part of some ranked items, and what to divide their worth by. */
export interface Share {
  ranked: Ranked;
  from: number;
  to: number;
  divisor: number;
}

/** The tree knows the best of each block; within a block every item is looked at. */
const BLOCK = 16;

type Worth = (item: number) => number;

/**
 * The tree for `createRanked`: the best item of each block in its second half, and before them the best
 * of every two, up to the best of all at 1. It takes a byte for two items.
 */
export function rankingTree(length: number, worth: Worth): Uint32Array {
  const blocks = Math.ceil(length / BLOCK);
  const tree = new Uint32Array(2 * blocks);
  for (let i = 0; i < blocks; i++) {
    tree[blocks + i] = bestOf(i * BLOCK, Math.min(length, (i + 1) * BLOCK), worth);
  }
  for (let i = blocks - 1; i > 0; i--) {
    tree[i] = better(tree[2 * i] ?? 0, tree[2 * i + 1] ?? 0, worth);
  }
  return tree;
}

/** Ranks items by the tree that was built for them. */
export function createRanked(tree: Uint32Array, worth: Worth): Ranked {
  const blocks = tree.length / 2;
  return {
    worth,
    best(from, to) {
      let left = Math.ceil(from / BLOCK);
      let right = Math.floor(to / BLOCK);
      if (left >= right) return bestOf(from, to, worth);
      let best = bestOf(from, from < left * BLOCK ? left * BLOCK : from + 1, worth);
      if (right * BLOCK < to) best = better(best, bestOf(right * BLOCK, to, worth), worth);
      for (left += blocks, right += blocks; left < right; left >>= 1, right >>= 1) {
        if (left & 1) best = better(best, tree[left++] ?? 0, worth);
        if (right & 1) best = better(best, tree[--right] ?? 0, worth);
      }
      return best;
    },
  };
}

function better(a: number, b: number, worth: Worth): number {
  const [first, second] = a < b ? [a, b] : [b, a];
  return worth(second) > worth(first) ? second : first;
}

function bestOf(from: number, to: number, worth: Worth): number {
  let best = from;
  let most = worth(from);
  for (let item = from + 1; item < to; item++) {
    const value = worth(item);
    if (value > most) [best, most] = [item, value];
  }
  return best;
}

/** The items of all shares, those of most worth first. It looks no farther than it is asked. */
export function* bestFirst(shares: Share[]): Generator<number> {
  const open = shares.filter(({ from, to }) => from < to).map(opened);
  for (;;) {
    let next: OpenShare | undefined;
    for (const each of open) if (!next || each.worth > next.worth) next = each;
    if (!next) return;
    const { ranked, from, to, divisor, item } = next;
    open.splice(open.indexOf(next), 1);
    if (from < item) open.push(opened({ ranked, from, to: item, divisor }));
    if (item + 1 < to) open.push(opened({ ranked, from: item + 1, to, divisor }));
    yield item;
  }
}

interface OpenShare extends Share {
  item: number;
  worth: number;
}

function opened(share: Share): OpenShare {
  const item = share.ranked.best(share.from, share.to);
  return { ...share, item, worth: share.ranked.worth(item) / share.divisor };
}

import { bestOf, better, LEAF_SIZE, type Score } from '../../src/places/data/segment-tree.js';

/**
 * Builds the array for `openSegmentTree`: the best item of each leaf in the second half, before them the best of
 * every two, up to the best item of all at index 1. Its size is half a byte per item.
 */
export function buildSegmentTree(length: number, score: Score): Uint32Array {
  const leaves = Math.ceil(length / LEAF_SIZE);
  const nodes = new Uint32Array(2 * leaves);
  for (let i = 0; i < leaves; i++) {
    nodes[leaves + i] = bestOf(i * LEAF_SIZE, Math.min(length, (i + 1) * LEAF_SIZE), score);
  }
  for (let i = leaves - 1; i > 0; i--) {
    nodes[i] = better(nodes[2 * i] ?? 0, nodes[2 * i + 1] ?? 0, score);
  }
  return nodes;
}

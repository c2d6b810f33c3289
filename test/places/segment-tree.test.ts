import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '../support/properties.js';
import {
  bestFirst,
  openSegmentTree,
  type SegmentTree,
} from '../../src/places/data/segment-tree.js';
import { buildSegmentTree } from '../../tools/gazetteer/segment-tree.js';

/** Scores from a small range, so that many are equal. */
const scores = fc.array(fc.integer({ min: 0, max: 20 }), {
  minLength: 1,
  maxLength: 300,
  // By default, arrays have about ten items: fewer than a leaf.
  size: 'max',
});

function treeOf(values: number[]): SegmentTree {
  const score = (item: number) => values[item] ?? 0;
  return openSegmentTree(buildSegmentTree(values.length, score), score);
}

describe('a segment tree', () => {
  it('finds the first item with the highest score of a range', () => {
    fc.assert(
      fc.property(scores, fc.nat(), fc.nat(), (values, a, b) => {
        const tree = treeOf(values);
        const from = a % values.length;
        const to = from + 1 + (b % (values.length - from));
        const part = values.slice(from, to);
        assert.equal(tree.best(from, to), from + part.indexOf(Math.max(...part)));
      }),
      // The example needs the root of the tree.
      { examples: [[Array.from({ length: 32 }, (_, i) => i), 0, 31]] },
    );
  });

  it('yields the items of several ranges in descending order of their weighted scores', () => {
    fc.assert(
      fc.property(scores, fc.nat(), (values, middle) => {
        const tree = treeOf(values);
        const cut = middle % values.length;
        const ranges = [
          { tree, from: 0, to: cut, divisor: 1 },
          { tree, from: cut, to: values.length, divisor: 5 },
        ];
        const order = [...bestFirst(ranges)].map(({ item }) => item);
        const effective = order.map((item) => (values[item] ?? 0) / (item < cut ? 1 : 5));
        assert.deepEqual(
          effective,
          effective.toSorted((x, y) => y - x),
        );
        assert.equal(new Set(order).size, values.length);
      }),
    );
  });
});

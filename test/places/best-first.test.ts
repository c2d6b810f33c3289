import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '../support/properties.js';
import { bestFirst, createRanked, rankingTree, type Ranked } from '../../src/places/best-first.js';

/** Few different worths: many are equal. */
const worths = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 300 });

function rankedBy(values: number[]): Ranked {
  const worth = (item: number) => values[item] ?? 0;
  return createRanked(rankingTree(values.length, worth), worth);
}

describe('the best of a range', () => {
  it('is that of most worth, and the first of equal ones', () => {
    fc.assert(
      fc.property(worths, fc.nat(), fc.nat(), (values, a, b) => {
        const ranked = rankedBy(values);
        const from = a % values.length;
        const to = from + 1 + (b % (values.length - from));
        const part = values.slice(from, to);
        assert.equal(ranked.best(from, to), from + part.indexOf(Math.max(...part)));
      }),
      { numRuns: 2000 },
    );
  });

  it('is followed by the others, in order of what their share makes of their worth', () => {
    fc.assert(
      fc.property(worths, fc.nat(), (values, middle) => {
        const ranked = rankedBy(values);
        const cut = middle % values.length;
        const shares = [
          { ranked, from: 0, to: cut, divisor: 1 },
          { ranked, from: cut, to: values.length, divisor: 5 },
        ];
        const order = [...bestFirst(shares)];
        const effective = order.map((item) => (values[item] ?? 0) / (item < cut ? 1 : 5));
        assert.deepEqual(
          effective,
          effective.toSorted((x, y) => y - x),
        );
        assert.equal(new Set(order).size, values.length);
      }),
    );
  });

  it('of nothing is nothing', () => {
    const ranked = rankedBy([]);
    assert.deepEqual([...bestFirst([{ ranked, from: 0, to: 0, divisor: 1 }])], []);
  });
});

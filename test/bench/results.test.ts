import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judge, MARGINS, table, worsened } from '../../tools/bench/results.js';
import { ROWS, type Row } from '../../tools/bench/rows.js';

const row = (rest: Partial<Row>): Row => ({
  id: 'cost',
  group: 'hits',
  what: 'a hit',
  unit: 'ms',
  digits: 1,
  target: { atMost: 3 },
  accepted: 4,
  firstVersion: '7',
  ...rest,
});
const atMost = (value: number) => judge(row({}), { value, details: '' });
const atLeast = (value: number) => judge(row({ target: { atLeast: 3 } }), { value, details: '' });

describe('judge', () => {
  it('meets an upper target up to the target itself', () => {
    assert.deepEqual([atMost(2).met, atMost(3).met, atMost(3.1).met], [true, true, false]);
  });

  it('meets a lower target from the target itself on', () => {
    assert.deepEqual([atLeast(2.9).met, atLeast(3).met, atLeast(4).met], [false, true, true]);
  });

  it('decides by the number that is shown', () => {
    assert.deepEqual([atMost(3.04).value, atMost(3.04).met], [3, true]);
    assert.deepEqual([atMost(3.06).value, atMost(3.06).met], [3.1, false]);
  });

  it('counts what was not measured as missed', () => {
    assert.equal(judge(row({}), undefined).met, false);
    assert.equal(atMost(NaN).met, false);
  });
});

describe('a value that is worse than the accepted one', () => {
  const kept = (value: number, rest: Partial<Row>) => judge(row(rest), { value, details: '' }).kept;

  it('is so beyond the margin of its unit, whatever the target', () => {
    assert.deepEqual([kept(8, {}), kept(8.1, {})], [true, false]);
    assert.deepEqual([kept(5, { unit: '×' }), kept(5.1, { unit: '×' })], [true, false]);
    assert.deepEqual([kept(4, { unit: '' }), kept(4.1, { unit: '' })], [true, false]);
    const rate = { unit: '×', target: { atLeast: 9 } };
    assert.deepEqual([kept(3.2, rate), kept(3.1, rate)], [true, false]);
  });

  it('is named with both', () => {
    assert.deepEqual(worsened([atMost(5), atMost(9), judge(row({ id: 'x' }), undefined)]), [
      'cost: a hit: 9.0 ms, accepted 4, so at most 8 ms',
      'x: a hit: not measured, accepted 4, so at most 8 ms',
    ]);
  });
});

describe('table', () => {
  it('lines up its columns', () => {
    assert.equal(
      table([judge(row({ unit: '×' }), { value: 2.5, details: '2–3' }), atLeast(1)]),
      [
        '| row  | what  | now    | target | met | accepted | first version | details |',
        '| ---- | ----- | ------ | ------ | --- | -------- | ------------- | ------- |',
        '| cost | a hit | 2.5    | ≤ 3    | yes | 4        | 7             | 2–3     |',
        '| cost | a hit | 1.0 ms | ≥ 3 ms | no  | 4: WORSE | 7             |         |',
      ].join('\n'),
    );
  });
});

describe('the rows', () => {
  it('have names of their own', () => {
    const ids = ROWS.map(({ id }) => id);
    assert.deepEqual([...new Set(ids)], ids);
  });

  it('have a margin for their unit', () => {
    assert.deepEqual(
      ROWS.filter(({ unit }) => !(unit in MARGINS)),
      [],
    );
  });

  it('show their targets without rounding them', () => {
    for (const { target, digits } of ROWS) {
      const bound = 'atMost' in target ? target.atMost : target.atLeast;
      assert.equal(Number(bound.toFixed(digits)), bound);
    }
  });
});

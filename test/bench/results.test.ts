import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judge, missedTargets, table } from '../../tools/bench/results.js';
import { ROWS, type Row } from '../../tools/bench/rows.js';

const row = (rest: Partial<Row>): Row => ({
  id: 'cost',
  group: 'hits',
  what: 'a hit',
  unit: 'ms',
  digits: 1,
  target: { atMost: 3 },
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

describe('missedTargets', () => {
  it('names each missed target with its value', () => {
    assert.deepEqual(missedTargets([atMost(2), atMost(5), judge(row({ id: 'x' }), undefined)]), [
      'cost: a hit: 5.0 ms, target ≤ 3 ms',
      'x: a hit: not measured, target ≤ 3 ms',
    ]);
  });

  it('is empty when all targets are met', () => {
    assert.deepEqual(missedTargets([atMost(2), atLeast(4)]), []);
  });
});

describe('table', () => {
  it('lines up its columns', () => {
    assert.equal(
      table([judge(row({ unit: '×' }), { value: 2.5, details: '2–3' }), atLeast(1)]),
      [
        '| row  | what  | now    | target | met | first version | details |',
        '| ---- | ----- | ------ | ------ | --- | ------------- | ------- |',
        '| cost | a hit | 2.5    | ≤ 3    | yes | 7             | 2–3     |',
        '| cost | a hit | 1.0 ms | ≥ 3 ms | NO  | 7             |         |',
      ].join('\n'),
    );
  });
});

describe('the rows', () => {
  it('have names of their own', () => {
    const ids = ROWS.map(({ id }) => id);
    assert.deepEqual([...new Set(ids)], ids);
  });

  it('show their targets without rounding them', () => {
    for (const { target, digits } of ROWS) {
      const bound = 'atMost' in target ? target.atMost : target.atLeast;
      assert.equal(Number(bound.toFixed(digits)), bound);
    }
  });
});

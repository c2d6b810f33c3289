import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadGazetteer } from '../../src/places/gazetteer.js';
import { measureSources } from '../../tools/places/queries/report.js';
import { builtGazetteer } from '../../tools/places/built-gazetteer.js';
import { percent, type Accuracy } from '../../tools/places/quality/measure.js';

describe('towns with their regions and towns of airports, by lists of others', () => {
  let measured: Map<string, Accuracy>;
  before(() => {
    measured = new Map(
      measureSources(loadGazetteer(builtGazetteer())).map((row) => [row.what, row]),
    );
  });

  const demands: [what: string, least: number][] = [
    ['"Town, State" (United States)', 92.5],
    ['"Town, ST"', 92.5],
    ['"Town ST"', 92.5],
    ['"Town, Region" elsewhere', 88],
    ['"Town Region" elsewhere', 85],
    ['towns of large airports', 99],
    ['towns of other airports', 96],
  ];
  for (const [what, least] of demands) {
    it(`${what}: at least ${least} %`, () => {
      const row = measured.get(what);
      assert.ok(row && row.total > 400, what);
      const { wrong } = row;
      assert.ok(percent(row) >= least, `${percent(row)} %\n${wrong.slice(0, 50).join('\n')}`);
    });
  }
});

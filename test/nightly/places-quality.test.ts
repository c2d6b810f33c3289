import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { percent, type Accuracy } from '../../tools/places/quality/measure.js';
import { measureQuality, type Report } from '../../tools/places/quality/report.js';

describe('how often the gazetteer is right, measured with independent sources', () => {
  let report: Report;
  before(() => {
    report = measureQuality();
  });

  const demands: [keyof Report, number][] = [
    ['capitals', 99.5],
    ['capitalsNativeCountry', 99],
    ['largeEnglish', 99.5],
    ['largeNative', 99.5],
    ['largeAscii', 99.5],
    ['scriptsNative', 99.5],
    ['scriptsEvery', 99.5],
    ['border', 99],
    ['coast', 99.5],
  ];
  for (const [name, least] of demands) {
    it(`${name}: at least ${least} %`, () => {
      const accuracy = report[name] as Accuracy;
      assert.ok(percent(accuracy) >= least, `${percent(accuracy)} %\n${accuracy.wrong.join('\n')}`);
    });
  }

  it('measures enough: 1,000 pairs in all countries and 10 scripts, and 1,000 points each way', () => {
    assert.ok(report.pairs >= 1000, `${report.pairs} pairs`);
    assert.ok(report.countries >= 195, `${report.countries} countries`);
    assert.ok(report.scripts.length >= 10, report.scripts.join(', '));
    assert.ok(report.border.total >= 1000, `${report.border.total} points at borders`);
    assert.ok(report.coast.total >= 1000, `${report.coast.total} points at coasts`);
  });
});

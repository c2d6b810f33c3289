/**
 * `npm run quality:places`: prints how many lookups and suggestions of the gazetteer are correct, by independent sources
 * and by lists of what people type. With `--wrong`, it also prints each wrong result.
 */
import { loadGazetteer } from '../../src/places/gazetteer.js';
import { builtGazetteer } from './built-gazetteer.js';
import { percent, type Accuracy } from './quality/measure.js';
import { measureQuality } from './quality/report.js';
import { measureHandWritten, measureSources } from './queries/report.js';

const report = measureQuality();
const gazetteer = loadGazetteer(builtGazetteer());
const rows = [
  ...Object.values(report).filter(
    (value): value is Accuracy => typeof value === 'object' && 'right' in value,
  ),
  ...measureHandWritten(gazetteer),
  ...measureSources(gazetteer),
];
const lines = ['| what | right | of | % |', '|---|---|---|---|'];
for (const row of rows) {
  lines.push(`| ${row.what} | ${row.right} | ${row.total} | ${percent(row).toFixed(2)} |`);
}
lines.push(
  '',
  `The independent sources have ${report.pairs} city and country pairs in ${report.countries} countries and ` +
    `territories, in ${report.scripts.length} scripts (${report.scripts.join(', ')}).`,
);
if (process.argv.includes('--wrong')) {
  for (const { what, wrong } of rows) lines.push('', what, ...wrong.map((each) => `  ${each}`));
}
process.stdout.write(`${lines.join('\n')}\n`);

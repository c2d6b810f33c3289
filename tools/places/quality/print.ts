/** Prints how often the gazetteer is right; with `--wrong`, what it is wrong about. */
import { percent, type Accuracy } from './measure.js';
import { measureQuality } from './report.js';

const report = measureQuality();
const rows = Object.values(report).filter(
  (value): value is Accuracy => typeof value === 'object' && 'right' in value,
);
const lines = ['| what | right | of | % |', '|---|---|---|---|'];
for (const row of rows) {
  lines.push(`| ${row.what} | ${row.right} | ${row.asked} | ${percent(row).toFixed(2)} |`);
}
lines.push('');
lines.push(
  `${report.pairs} different city/country pairs, ${report.countries} countries and territories, ` +
    `${report.scripts.length} scripts (${report.scripts.join(', ')}).`,
);
if (process.argv.includes('--wrong')) {
  for (const { what, wrong } of rows) lines.push('', what, ...wrong.map((each) => `  ${each}`));
}
process.stdout.write(`${lines.join('\n')}\n`);

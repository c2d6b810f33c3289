/** Prints how often what people type leads to the right place; with `--wrong`, what does not. */
import { loadGazetteer } from '../../../src/places/gazetteer.js';
import { builtGazetteer } from '../built-gazetteer.js';
import { percent } from '../quality/measure.js';
import { measureAsked, measureLists } from './report.js';

const gazetteer = loadGazetteer(builtGazetteer());
const rows = [...measureAsked(gazetteer), ...measureLists(gazetteer)];
const lines = ['| what | right | of | % |', '|---|---|---|---|'];
for (const row of rows) {
  lines.push(`| ${row.what} | ${row.right} | ${row.asked} | ${percent(row).toFixed(1)} |`);
}
if (process.argv.includes('--wrong')) {
  for (const { what, wrong } of rows) lines.push('', what, ...wrong.map((each) => `  ${each}`));
}
process.stdout.write(`${lines.join('\n')}\n`);

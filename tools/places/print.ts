/**
 * `npm run quality:places`: prints how many lookups and suggestions of the gazetteer are correct,
 * by lists of what people type. With `--wrong`, it also prints each wrong result.
 */
import { loadGazetteer } from '../../src/places/gazetteer.js';
import { builtGazetteer } from './built-gazetteer.js';
import { loadPlaceData } from '../../src/places/place-data.js';
import { measureAreas } from './queries/areas-and-codes.js';
import { percent } from './queries/measure.js';
import { measureHandWritten } from './queries/report.js';

const file = builtGazetteer();
const gazetteer = loadGazetteer(file);
const rows = [...measureHandWritten(gazetteer), ...measureAreas(gazetteer, loadPlaceData(file))];
const lines = ['| what | right | of | % |', '|---|---|---|---|'];
for (const row of rows) {
  lines.push(`| ${row.what} | ${row.right} | ${row.total} | ${percent(row).toFixed(2)} |`);
}
if (process.argv.includes('--wrong')) {
  for (const { what, wrong } of rows) lines.push('', what, ...wrong.map((each) => `  ${each}`));
}
process.stdout.write(`${lines.join('\n')}\n`);

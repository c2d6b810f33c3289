/** `npm run build`: updates `dist`, or with the argument `gazetteer` only the gazetteer. */
import { fileURLToPath } from 'node:url';
import { build, buildGazetteer } from './build.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const startedAt = performance.now();
// Standard output is reserved for the log of the service.
const report = (text: string): void => {
  process.stderr.write(text);
};
report('Building dist: ');
if (process.argv[2] === 'gazetteer') await buildGazetteer(ROOT, report);
else {
  report('the code, ');
  await build(ROOT, report);
}
report(` … ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);

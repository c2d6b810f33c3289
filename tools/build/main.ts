/** `npm run build`: brings `dist` up to date. With the argument `gazetteer`, only the gazetteer there. */
import { fileURLToPath } from 'node:url';
import { build, buildGazetteer } from './build.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const begun = performance.now();
// The service's log has standard output for itself.
const say = (text: string): void => {
  process.stderr.write(text);
};
say('Building dist: ');
if (process.argv[2] === 'gazetteer') await buildGazetteer(ROOT, say);
else {
  say('the code, ');
  await build(ROOT, say);
}
say(` … ${((performance.now() - begun) / 1000).toFixed(1)} s\n`);

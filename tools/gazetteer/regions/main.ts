/** `npm run extract:regions`: writes `regions.json` anew, from the versions that `packages` names. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { extractRegions, formatExtract } from './extract.js';

const PACKAGES = fileURLToPath(new URL('packages/', import.meta.url));

execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
  cwd: PACKAGES,
  stdio: 'inherit',
});
const extract = await extractRegions(
  fileURLToPath(new URL('packages/node_modules', import.meta.url)),
);
writeFileSync(new URL('regions.json', import.meta.url), formatExtract(extract));

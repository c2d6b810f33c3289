/** `npm run extract:china`: writes `chinese-cities.json` anew, from the versions that `packages` names. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { extractChineseCities, formatExtract } from './extract.js';

const PACKAGES = fileURLToPath(new URL('packages/', import.meta.url));

execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
  cwd: PACKAGES,
  stdio: 'inherit',
});
const extract = extractChineseCities(
  fileURLToPath(new URL('packages/node_modules', import.meta.url)),
);
writeFileSync(new URL('chinese-cities.json', import.meta.url), formatExtract(extract));

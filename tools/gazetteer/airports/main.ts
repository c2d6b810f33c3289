/** `npm run extract:airports`: writes `airports.json` anew, from the versions that `packages` names. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { extractAirports, formatExtract } from './extract.js';

const PACKAGES = fileURLToPath(new URL('packages/', import.meta.url));

execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
  cwd: PACKAGES,
  stdio: 'inherit',
});
const extract = extractAirports(fileURLToPath(new URL('packages/node_modules', import.meta.url)));
writeFileSync(new URL('airports.json', import.meta.url), formatExtract(extract));

/** `npm run extract:zones`: writes `zone-cities.json` anew, from the versions that `packages` names. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { extractZoneCities, formatExtract } from './extract.js';

const PACKAGES = fileURLToPath(new URL('packages/', import.meta.url));

execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
  cwd: PACKAGES,
  stdio: 'inherit',
});
const extract = extractZoneCities(fileURLToPath(new URL('packages/node_modules', import.meta.url)));
writeFileSync(new URL('zone-cities.json', import.meta.url), formatExtract(extract));

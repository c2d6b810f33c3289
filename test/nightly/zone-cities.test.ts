import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { extractZoneCities, formatExtract } from '../../tools/gazetteer/zone-cities/extract.js';

const FOLDER = fileURLToPath(new URL('../../tools/gazetteer/zone-cities/', import.meta.url));

describe('the extract of the names of time-zone cities', () => {
  it('is what the named versions of the packages of CLDR give', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weather-zone-cities-'));
    try {
      for (const name of ['package.json', 'package-lock.json']) {
        await cp(join(FOLDER, 'packages', name), join(folder, name));
      }
      const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
      await promisify(execFile)('npm', ['ci', ...options], { cwd: folder });
      const extract = extractZoneCities(join(folder, 'node_modules'));
      assert.equal(
        await readFile(join(FOLDER, 'zone-cities.json'), 'utf8'),
        formatExtract(extract),
        'run `npm run extract:zones`',
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

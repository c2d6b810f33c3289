import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { formatExtract, type AnyExtract } from '../../tools/gazetteer/format-extract.js';

const FOLDER = fileURLToPath(new URL('../../tools/gazetteer/', import.meta.url));

/** The folders of the extracts of the gazetteer. */
const NAMES = readdirSync(FOLDER).filter((name) => existsSync(join(FOLDER, name, 'extract.ts')));

for (const name of NAMES) {
  describe(`the extract ${name}`, () => {
    it('is equal to a new extract from the named versions of its packages', async () => {
      const folder = await mkdtemp(join(tmpdir(), `weather-${name}-`));
      try {
        for (const file of ['package.json', 'package-lock.json']) {
          await cp(join(FOLDER, name, 'packages', file), join(folder, file));
        }
        const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
        await promisify(execFile)('npm', ['ci', ...options], { cwd: folder });
        const { extract } = (await import(join(FOLDER, name, 'extract.ts'))) as {
          extract: (modules: string) => AnyExtract | Promise<AnyExtract>;
        };
        assert.equal(
          await readFile(join(FOLDER, name, `${name}.json`), 'utf8'),
          formatExtract(await extract(join(folder, 'node_modules'))),
          `run \`npm run extract ${name}\``,
        );
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  });
}

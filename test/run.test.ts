import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { fc } from './support/properties.js';
import { isBuilt, noteBuild } from '../tools/build/freshness.js';
import { SEED } from './support/seed.js';

it('the properties of fast-check use the seed of the run', () => {
  assert.equal(fc.readConfigureGlobal().seed, SEED);
});

it('dist/ is outdated after a change, also during the build, a new file, and a deleted file', (t) => {
  const MINUTE = 60_000;
  const root = mkdtempSync(join(tmpdir(), 'weather-built-'));
  t.after(() => {
    rmSync(root, { recursive: true });
  });
  const begun = Date.now() - MINUTE;
  const write = (path: string, time: number) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), path);
    for (const each of [path, join(path, '..')]) {
      utimesSync(join(root, each), time / 1000, time / 1000);
    }
  };
  write('src/a/one.ts', begun - MINUTE);
  write('dist/server.js', begun);
  utimesSync(join(root, 'src'), 1, 1);
  noteBuild(root, begun);
  assert.equal(isBuilt(root), true);
  write('src/a/one.ts', begun);
  assert.equal(isBuilt(root), false);
  noteBuild(root, begun + 1000);
  assert.equal(isBuilt(root), true);
  rmSync(join(root, 'src/a/one.ts'));
  assert.equal(isBuilt(root), false);
});

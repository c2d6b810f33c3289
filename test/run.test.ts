import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fc } from './support/properties.js';
import { isBuilt, noteBuild } from '../tools/build/freshness.js';
import { SEED } from './support/seed.js';

it('the properties of fast-check use the seed of the run', () => {
  assert.equal(fc.readConfigureGlobal().seed, SEED);
});

describe('dist/', () => {
  const MINUTE = 60_000;
  const write = (root: string, path: string, time: number) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), path);
    for (const each of [path, join(path, '..')]) {
      utimesSync(join(root, each), time / 1000, time / 1000);
    }
  };
  /** A checkout that was built one minute after its last change. */
  function built(t: TestContext): { root: string; begun: number } {
    const root = mkdtempSync(join(tmpdir(), 'weather-built-'));
    t.after(() => {
      rmSync(root, { recursive: true });
    });
    const begun = Date.now() - MINUTE;
    write(root, 'src/a/one.ts', begun - MINUTE);
    write(root, 'dist/server.js', begun);
    utimesSync(join(root, 'src'), 1, 1);
    noteBuild(root, begun);
    return { root, begun };
  }

  it('is outdated after a change, a new file, and a deleted file', (t) => {
    const { root, begun } = built(t);
    assert.equal(isBuilt(root), true);
    write(root, 'src/a/one.ts', begun + 1000);
    assert.equal(isBuilt(root), false);
    noteBuild(root, begun + MINUTE);
    assert.equal(isBuilt(root), true);
    rmSync(join(root, 'src/a/one.ts'));
    assert.equal(isBuilt(root), begun + MINUTE > Date.now());
  });

  it('is outdated after a change during the build', (t) => {
    const { root, begun } = built(t);
    write(root, 'src/a/two.ts', begun);
    assert.equal(isBuilt(root), false);
  });
});

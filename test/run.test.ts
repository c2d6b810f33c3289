import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fc } from './support/properties.js';
import { isBuilt, noteBuild } from '../tools/build/freshness.js';
import reporter from './support/reporter.js';
import { SEED } from './support/seed.js';
import { isUnitTest } from './support/test-files.js';

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

describe('a skipped test', () => {
  type Events = Parameters<typeof reporter>[0];
  const TEST = { name: 'one', nesting: 0, details: { duration_ms: 1 } };
  const listed = join(process.cwd(), 'test/compose/stack.test.ts');
  const notListed = join(process.cwd(), 'test/run.test.ts');

  async function exitCodeFor(t: TestContext, ci: string, result: object) {
    const before = { ci: process.env['CI'], exitCode: process.exitCode };
    t.after(() => {
      process.exitCode = before.exitCode;
      if (before.ci === undefined) delete process.env['CI'];
      else process.env['CI'] = before.ci;
    });
    process.env['CI'] = ci;
    process.exitCode = 0;
    const events = [
      { type: 'test:start', data: TEST },
      { type: 'test:pass', data: { ...TEST, ...result } },
    ];
    for await (const text of reporter(events as unknown as Events)) assert.ok(text);
    return process.exitCode;
  }

  it('is a failure in CI', async (t) => {
    assert.equal(await exitCodeFor(t, 'true', { file: listed, skip: 'no engine' }), 1);
  });

  it('is no failure elsewhere if test/support/allowed-skips.ts lists it', async (t) => {
    assert.equal(await exitCodeFor(t, '', { file: listed, skip: 'no engine' }), 0);
    assert.equal(await exitCodeFor(t, '', { file: notListed, skip: true }), 1);
  });

  it('is a failure if no other test ran, because no name matched', async (t) => {
    const skip = 'test name does not match pattern';
    assert.equal(await exitCodeFor(t, '', { file: notListed, skip }), 1);
  });
});

it('test:unit leaves out tests that start a process, also through imports', () => {
  assert.equal(isUnitTest('test/weather/lookup.test.ts'), true);
  assert.equal(isUnitTest('test/contracts/cache.test.ts'), false);
});

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fc } from './support/properties.js';
import { isBuilt, noteBuild } from '../tools/build/freshness.js';
import { conclude, runInTurn } from './parts.js';
import reporter from './support/reporter.js';
import { SEED, readSeed } from './support/seed.js';
import { isUnitTest } from './support/test-files.js';

describe('the seed of a test run', () => {
  it('is TEST_SEED, also where CI is set', () => {
    assert.equal(readSeed({ TEST_SEED: '42', CI: 'true' }), 42);
  });

  it('is always the same in CI', () => {
    assert.equal(readSeed({ CI: 'true' }), 7);
  });

  it('is a whole number below a million otherwise', () => {
    const seed = readSeed({});
    assert.ok(Number.isInteger(seed) && seed >= 0 && seed < 1_000_000, String(seed));
  });

  it('is refused where it is no whole number', () => {
    assert.throws(() => readSeed({ TEST_SEED: 'x7' }), /TEST_SEED must be a whole number/);
  });

  it('is what the properties of fast-check draw from', () => {
    assert.equal(fc.readConfigureGlobal().seed, SEED);
  });
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
  /** A checkout that was built a minute after its last change. */
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

  it('is built again after a change, a new file and a deleted one', (t) => {
    const { root, begun } = built(t);
    assert.equal(isBuilt(root), true);
    write(root, 'src/a/one.ts', begun + 1000);
    assert.equal(isBuilt(root), false);
    noteBuild(root, begun + MINUTE);
    assert.equal(isBuilt(root), true);
    rmSync(join(root, 'src/a/one.ts'));
    assert.equal(isBuilt(root), begun + MINUTE > Date.now());
  });

  it('is built again after a change while it was built', (t) => {
    const { root, begun } = built(t);
    write(root, 'src/a/two.ts', begun);
    assert.equal(isBuilt(root), false);
  });

  it('is built where it was never built', (t) => {
    const { root } = built(t);
    rmSync(join(root, 'dist'), { recursive: true });
    assert.equal(isBuilt(root), false);
  });
});

describe('a test that is skipped', () => {
  type Events = Parameters<typeof reporter>[0];
  const passed = (data: object) => ({ type: 'test:pass', data: { ...ONE, ...data } });
  const ONE = { name: 'one', nesting: 0, details: { duration_ms: 1 } };
  /** What the reporter says at the end, and the exit code. */
  async function report(ci: string, ...results: object[]) {
    const before = process.env['CI'];
    process.env['CI'] = ci;
    const { exitCode } = process;
    process.exitCode = 0;
    const events = results.flatMap((data) => [{ type: 'test:start', data: ONE }, passed(data)]);
    let said = '';
    for await (const text of reporter(events as unknown as Events)) said += text;
    const code = process.exitCode;
    process.exitCode = exitCode;
    if (before === undefined) delete process.env['CI'];
    else process.env['CI'] = before;
    return { said: said.split('\n').slice(results.length).join('\n').trim(), code };
  }
  const engine = join(process.cwd(), 'test/compose/stack.test.ts');
  const other = join(process.cwd(), 'test/run.test.ts');

  it('is a failure where CI is set, a whole suite too', async () => {
    for (const details of [ONE.details, { ...ONE.details, type: 'suite' }]) {
      const { said, code } = await report('true', { file: engine, skip: 'no engine', details });
      assert.equal(code, 1);
      assert.match(
        said,
        /^✖ test\/compose\/stack.test.ts: "one" was skipped \(no engine\): where CI/,
      );
    }
  });

  it('is none at home where it is listed', async () => {
    const { code } = await report('', { file: engine, skip: 'no engine' });
    assert.equal(code, 0);
  });

  it('is none where its name was not asked for, but one must have run', async () => {
    const notMeant = { file: other, skip: 'test name does not match pattern' };
    assert.deepEqual(await report('', notMeant), { said: '✖ no test ran', code: 1 });
    assert.equal((await report('true', notMeant, { file: other })).code, 0);
  });

  it('is a failure everywhere where it is not listed, and so is "todo"', async () => {
    for (const why of [{ skip: true }, { todo: true }]) {
      const { said, code } = await report('', { file: other, ...why });
      assert.equal(code, 1);
      assert.match(said, /skips.ts does not list it/);
    }
  });
});

describe('npm run test:unit', () => {
  it('runs tests that start no process', () => {
    assert.equal(isUnitTest('test/run.test.ts'), true);
    assert.equal(isUnitTest('test/weather/lookup.test.ts'), true);
  });

  it('leaves out tests that start Redis or the service, at any depth of imports', () => {
    assert.equal(isUnitTest('test/contracts/cache.test.ts'), false);
    assert.equal(isUnitTest('test/readme.test.ts'), false);
  });
});

describe('the parts of npm run test:nightly', () => {
  const parts = [
    { name: 'red', command: 'exit 3' },
    { name: 'green', command: 'test "$TEST_SEED" = 5' },
  ];

  it('all run after a red one, with the seed of the night', async () => {
    const outcomes = await runInTurn(parts, { TEST_SEED: '5' });
    assert.deepEqual(
      outcomes.map(({ name, code }) => [name, code]),
      [
        ['red', 3],
        ['green', 0],
      ],
    );
  });

  it('are red together when one is', () => {
    const outcome = { name: 'x', seconds: 1 };
    assert.equal(conclude([{ ...outcome, code: 0 }]), 0);
    const both = [3, 0].map((code) => ({ ...outcome, code }));
    assert.equal(conclude(both), 1);
  });
});

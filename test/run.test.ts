import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { conclude, runInTurn } from './parts.js';
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

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { comparePairs } from '../tools/bench/statistics.js';

const ROOT = join(import.meta.dirname, '..');

/** Runs the benchmark with an argument that starts no measurement. */
function bench(arg: string) {
  const command = ['--import', 'tsx', 'tools/bench/main.ts', arg];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, usage: /^npm run bench -- /m.test(status === 0 ? stdout : stderr) };
}

describe('npm run bench', () => {
  it('prints its options on request, and after an argument that it does not know', () => {
    assert.deepEqual(bench('--help'), { status: 0, usage: true });
    assert.deepEqual(bench('--fast'), { status: 2, usage: true });
  });

  it('prints figures of three digits without an exponent', () => {
    const details = (value: number, reference: number) =>
      comparePairs([{ value, reference }], 'µs').details;
    assert.equal(details(3081.4, 12), '256.78 to 256.78; 3,080 and 12.0 µs');
    assert.equal(details(0.85, 1), '0.85 to 0.85; 0.850 and 1.00 µs');
  });
});

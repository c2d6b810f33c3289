import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isSupported } from '../../src/process/node-version.js';
import { NODE_RANGE } from '../../src/base/version.js';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

describe('the versions of Node.js', () => {
  it('are supported from the named minor version on, and every newer major version', () => {
    const range = '^20.19.0 || ^22.13.0 || >=24';
    const supported = ['20.19.0', '20.20.2', '22.13.1', '22.40.0', '24.0.0', '25.3.0', '26.13.0'];
    const others = ['0.12.18', '18.20.8', '19.9.0', '20.18.3', '21.7.3', '22.12.0', '23.11.0'];
    for (const version of supported) assert.ok(isSupported(version, range), version);
    for (const version of others) assert.ok(!isSupported(version, range), version);
    assert.ok(isSupported(process.versions.node, NODE_RANGE));
  });
});

describe('the two programs', () => {
  for (const program of ['server.js', 'worker.js']) {
    it(`${program} says which version of Node.js it needs, and exits with 1`, () => {
      const version =
        'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"18.20.8"})';
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['--import', version, join(DIST, program)],
        { encoding: 'utf8' },
      );
      assert.deepEqual([status, stdout], [1, '']);
      assert.equal(stderr, `This program needs Node.js ${NODE_RANGE}. This is Node.js 18.20.8.\n`);
    });

    it(`${program} loads only modules that Node.js 18 has before it checks the version`, () => {
      const closureOf = (name: string): string[] =>
        [
          ...readFileSync(join(DIST, name), 'utf8').matchAll(
            /^(?:import|\}) ?(?:.* from )?"(.*)";$/gm,
          ),
        ]
          .map(([, target = '']) => target)
          .flatMap((target) => (target.startsWith('./') ? closureOf(target) : target));
      assert.deepEqual([...new Set(closureOf(program))], ['node:module']);
    });
  }
});

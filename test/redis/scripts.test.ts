import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const FOLDER = join(import.meta.dirname, '../../src/redis/scripts');

const luac = ['luac', 'luac5.4', 'luac5.1'].find((name) => !spawnSync(name, ['-v']).error);

describe('a Lua script', () => {
  for (const name of readdirSync(FOLDER)) {
    const path = join(FOLDER, name);

    it(`is well-formed: ${name}`, { skip: !luac && 'luac is not installed' }, () => {
      const { status, stderr } = spawnSync(luac!, ['-p', path], { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
    });

    it(`begins with its purpose, keys, arguments, and reply: ${name}`, () => {
      const [header = ''] = /^(?:--.*\n)+/.exec(readFileSync(path, 'utf8')) ?? [];
      if (name === 'typed.lua') return;
      assert.match(header, /^-- [A-Z].*\n(.*\n)*-- KEYS.*\n(.*\n)*-- ARGV: .*\n(.*\n)*-- Reply: /);
    });
  }
});

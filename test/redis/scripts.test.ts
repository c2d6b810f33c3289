import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const FOLDER = join(import.meta.dirname, '../../src/redis/scripts');
/** The text of functions that other scripts begin with. */
const SHARED = 'typed.lua';

describe('a Lua script', () => {
  for (const name of readdirSync(FOLDER).filter((file) => file !== SHARED)) {
    it(`begins with its purpose, keys, arguments, and reply: ${name}`, () => {
      const [header = ''] = /^(?:--.*\n)+/.exec(readFileSync(join(FOLDER, name), 'utf8')) ?? [];
      assert.match(header, /^-- [A-Z].*\n(.*\n)*-- KEYS.*\n(.*\n)*-- ARGV: .*\n(.*\n)*-- Reply: /);
    });
  }
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

describe('each extract of a package', () => {
  const folder = new URL('../../../tools/gazetteer/', import.meta.url);
  const names = ['airports', 'chinese-cities', 'post-towns', 'regions', 'zone-cities'];
  for (const name of names) {
    it(`names its source, version, and license (${name})`, () => {
      const read = (file: string) => readFileSync(new URL(`${name}/${file}`, folder), 'utf8');
      const { source, license } = JSON.parse(read(`${name}.json`)) as Record<string, string>;
      assert.match(source ?? '', /packages? \S/);
      assert.match(source ?? '', /\d+\.\d+/);
      if (license === 'public domain') return;
      assert.match(license ?? '', /see LICENSE|^Unicode-3\.0/);
      assert.ok(read('LICENSE').length > 1000);
    });
  }
});

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { formatExtract, type AnyExtract } from '../../../tools/gazetteer/format-extract.js';

const FOLDER = new URL('../../../tools/gazetteer/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, FOLDER), 'utf8');
const names = readdirSync(FOLDER).filter((name) =>
  existsSync(new URL(`${name}/extract.ts`, FOLDER)),
);

describe('each extract of the gazetteer', () => {
  for (const name of names) {
    it(`${name} has the form that its script writes, and says source, version and licence`, () => {
      const text = read(`${name}/${name}.json`);
      const extract = JSON.parse(text) as AnyExtract;
      assert.equal(formatExtract(extract), text);
      const { dependencies } = JSON.parse(read(`${name}/packages/package.json`)) as {
        dependencies: Record<string, string>;
      };
      for (const [dependency, version] of Object.entries(dependencies)) {
        assert.ok(extract.source.includes(dependency), extract.source);
        assert.ok(extract.source.includes(version), extract.source);
      }
      if (extract.license !== 'public domain') {
        assert.match(extract.license, /see LICENSE|^Unicode-3\.0/);
        assert.ok(read(`${name}/LICENSE`).length > 1000);
      }
    });
  }

  it('is among these', () => {
    assert.deepEqual(names, ['airports', 'chinese-cities', 'post-towns', 'regions', 'zone-cities']);
  });
});

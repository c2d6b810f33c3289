import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { codeIn, rowsOf, sectionOf } from '../../support/markdown.js';

const root = new URL('../../../', import.meta.url);
const folder = new URL('tools/gazetteer/', root);
const readme = readFileSync(new URL('src/places/README.md', root), 'utf8');

/** The extracts that the document describes. Those in `tables` are written by hand. */
const rows = rowsOf(sectionOf(readme, '## Extracts')).map(
  ([name = '', packages = '', , , hash = '']) => ({
    name: codeIn(name)[0] ?? '',
    packages: packages.split(', '),
    hash: codeIn(hash)[0],
  }),
);

describe('the document of the gazetteer', () => {
  it('describes every extract of packages', () => {
    const folders = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'tables')
      .map(({ name }) => name);
    assert.deepEqual(rows.map(({ name }) => name).sort(), folders.sort());
  });

  for (const { name, packages, hash } of rows) {
    it(`has the packages, the hash, and the license of the extract ${name}`, () => {
      const read = (file: string) => readFileSync(new URL(`${name}/${file}`, folder), 'utf8');
      const text = read(`${name}.json`);
      const { source, license } = JSON.parse(text) as Record<string, string>;
      for (const each of packages) {
        const [title = '', version = ''] = each.split(' ');
        assert.ok(source?.includes(title) && source.includes(version), each);
      }
      assert.equal(createHash('sha256').update(text).digest('hex'), hash);
      const isFree = license === 'public domain';
      assert.ok(isFree || read('LICENSE').length > 1000);
    });
  }
});

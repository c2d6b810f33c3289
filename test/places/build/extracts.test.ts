import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import * as airports from '../../../tools/gazetteer/airports/extract.js';
import * as chineseCities from '../../../tools/gazetteer/chinese-cities/extract.js';
import * as regions from '../../../tools/gazetteer/regions/extract.js';

const FOLDER = new URL('../../../tools/gazetteer/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, FOLDER), 'utf8');

describe('each extract of the gazetteer', () => {
  const formats: Record<string, (extract: never) => string> = {
    airports: airports.formatExtract,
    'chinese-cities': chineseCities.formatExtract,
    regions: regions.formatExtract,
  };
  for (const [name, format] of Object.entries(formats)) {
    it(`${name} has the form that its script writes, and says source, version and licence`, () => {
      const text = read(`${name}/${name}.json`);
      const extract = JSON.parse(text) as { source: string; license: string };
      assert.equal(format(extract as never), text);
      const { dependencies } = JSON.parse(read(`${name}/packages/package.json`)) as {
        dependencies: Record<string, string>;
      };
      for (const [dependency, version] of Object.entries(dependencies)) {
        assert.ok(extract.source.includes(`${dependency} ${version}`), extract.source);
      }
      if (extract.license !== 'public domain') {
        assert.match(extract.license, /see LICENSE/);
        assert.ok(read(`${name}/LICENSE`).length > 1000);
      }
    });
  }
});

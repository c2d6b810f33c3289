import assert from 'node:assert/strict';
import { buildSync } from 'esbuild';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from './compose-file.js';

describe('the Dockerfile', () => {
  const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').split('\n');

  it('copies every source of the gazetteer before it builds the gazetteer', () => {
    const built = lines.indexOf('RUN npm run build:gazetteer');
    assert.ok(built > 0);
    const copied = lines
      .slice(0, built)
      .flatMap((line) => /^COPY (?!--)(.+) \S+$/.exec(line)?.[1]?.split(' ') ?? []);
    const { metafile } = buildSync({
      absWorkingDir: ROOT,
      entryPoints: ['tools/gazetteer/main.ts'],
      outdir: 'unused',
      bundle: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
      write: false,
      metafile: true,
    });
    const sources = Object.keys(metafile.inputs);
    assert.ok(sources.length > 30);
    const absent = sources.filter(
      (source) => !copied.some((path) => source === path || source.startsWith(`${path}/`)),
    );
    assert.deepEqual(absent, []);
  });
});

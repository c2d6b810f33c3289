import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { ROOT } from './compose-file.js';

const FOLDER = join(ROOT, '.github/workflows');

describe('the workflows', () => {
  it('use actions by their commits, each with its version in a comment', () => {
    const used = readdirSync(FOLDER)
      .map((name) => readFileSync(join(FOLDER, name), 'utf8'))
      .flatMap((text) => Array.from(text.matchAll(/uses: ([^.\s].*)$/gm), ([, action]) => action));
    assert.ok(used.length >= 10);
    for (const action of used) {
      assert.match(action ?? '', /^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  it('use the major version of Node.js that the image and .nvmrc have', () => {
    const paths = readdirSync(FOLDER).map((name) => join(FOLDER, name));
    const texts = [...paths, join(ROOT, 'Dockerfile')].map((path) => readFileSync(path, 'utf8'));
    const used = [...texts.join('\n').matchAll(/\bnode:(\d+)/g)].map(([, major]) => major);
    assert.ok(used.length >= 6);
    assert.deepEqual([...new Set(used)], [readFileSync(join(ROOT, '.nvmrc'), 'utf8').trim()]);
  });

  it('publish a release after its tests, from main, with an approval', () => {
    const { jobs } = parse(readFileSync(join(FOLDER, 'release.yml'), 'utf8')) as {
      jobs: Record<
        string,
        { environment?: string; needs?: string | string[]; steps?: { run?: string }[] }
      >;
    };
    const { tag, image, publish } = jobs;
    const commands = (tag?.steps ?? []).map(({ run = '' }) => run).join('\n');
    assert.ok(commands.includes('merge-base --is-ancestor "$GITHUB_SHA" origin/main'));
    assert.deepEqual(image?.needs, ['tag', 'checks', 'compose']);
    assert.equal(image.environment, 'release');
    assert.deepEqual(publish?.needs, ['tag', 'image']);
  });
});

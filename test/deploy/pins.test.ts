import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { ROOT } from './compose-file.js';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const filesIn = (folder: string, ending: RegExp) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path))
    .map((path) => join(folder, path));

/** Images with the version that a file pins; the service's own image is not pinned here. */
function imagesIn(path: string): string[] {
  const found = read(path).matchAll(/^\s*(?:- )?(?:image:|FROM(?: --platform=\S+)?) +(\S+)/gm);
  return [...found]
    .map(([, image = '']) => image)
    .filter((image) => image.includes(':') && !/weather-lookup-service|\$/.test(image));
}

describe('pinned versions', () => {
  const manifests = filesIn('k8s', /\.yaml$/);
  const workflows = filesIn('.github/workflows', /\.yml$/);
  const pinned = ['Dockerfile', 'docker-compose.yml', ...manifests].filter(
    (path) => imagesIn(path).length > 0,
  );

  it('of images are whole: the same file starts the same image tomorrow', () => {
    const images = pinned.flatMap(imagesIn);
    assert.ok(images.length >= 9);
    for (const image of images) assert.match(image, /:v?\d+\.\d+\.\d+/);
  });

  it('of actions are commits, each with its version beside it', () => {
    const used = workflows.flatMap((path) => [...read(path).matchAll(/uses: *(.*)$/gm)]);
    const others = used
      .map(([, action = '']) => action)
      .filter((action) => !action.startsWith('./'));
    assert.ok(others.length >= 10);
    for (const action of others) {
      assert.match(action, /^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  it('of Node.js are equal in the stages of the image, .nvmrc and CI', () => {
    const stages = imagesIn('Dockerfile').filter((image) => image.startsWith('node:'));
    assert.equal(stages.length, 2);
    assert.equal(new Set(stages).size, 1, stages.join());
    const [, major = ''] = /^node:(\d+)\./.exec(stages[0] ?? '') ?? [];
    assert.equal(read('.nvmrc').trim(), major);
    for (const path of workflows) {
      for (const [, version = ''] of read(path).matchAll(/image: node:(\d+)-/g)) {
        assert.equal(version, major, path);
      }
    }
  });

  it('are known to Dependabot, file by file', () => {
    const { updates } = parse(read('.github/dependabot.yml')) as {
      updates: { 'package-ecosystem': string; directory?: string; directories?: string[] }[];
    };
    const known = updates.flatMap(
      ({ 'package-ecosystem': kind, directory, directories = [directory ?? ''] }) =>
        directories.map((folder) => `${kind} ${folder}`),
    );
    assert.ok(known.includes('github-actions /'));
    for (const path of pinned) {
      const kind = path === 'docker-compose.yml' ? 'docker-compose' : 'docker';
      const folder = join('/', dirname(path));
      const ways = [`${kind} ${folder}`, `${kind} ${dirname(folder)}/*`];
      assert.ok(
        ways.some((way) => known.includes(way)),
        `nobody updates ${path}`,
      );
    }
  });
});

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { ROOT } from './compose-file.js';

interface Job {
  container?: string | { image: string; options?: string };
  environment?: string;
  needs?: string | string[];
  steps?: { run?: string; uses?: string }[];
  strategy?: { matrix: { node?: string[] } };
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const jobsOf = (name: string) =>
  (parse(read(`.github/workflows/${name}`)) as { jobs: Record<string, Job> }).jobs;
const WORKFLOWS = readdirSync(join(ROOT, '.github/workflows'));
const JOBS = WORKFLOWS.flatMap((name) =>
  Object.entries(jobsOf(name)).map(([id, job]) => ({ where: `${name}: ${id}`, ...job })),
);

/** The images that a Dockerfile, a Compose file or a manifest names, without those of the service. */
function imagesIn(path: string): string[] {
  return [...read(path).matchAll(/^\s*(?:- )?(?:image:|FROM(?: --platform=\S+)?) +(\S+:\S+)/gm)]
    .map(([, image = '']) => image)
    .filter((image) => !image.includes('weather-lookup-service'));
}

describe('pinned versions', () => {
  it('of Node.js are equal in the stages of the image, in .nvmrc and in every job', () => {
    const stages = imagesIn('Dockerfile').filter((image) => image.startsWith('node:'));
    assert.equal(stages.length, 2);
    assert.equal(new Set(stages).size, 1, stages.join());
    const [, major = ''] = /^node:(\d+)\./.exec(stages[0] ?? '') ?? [];
    assert.equal(read('.nvmrc').trim(), major);
    const containers = JOBS.flatMap(({ container = [] }) => container).map((container) =>
      typeof container === 'string' ? container : container.image,
    );
    const fixed = containers.filter((image) => !image.includes('${{ matrix.node }}'));
    assert.ok(fixed.length >= 4, 'containers are found');
    for (const image of fixed) assert.equal(image, `node:${major}-trixie`);
    const matrix = JOBS.flatMap(({ strategy }) => strategy?.matrix.node ?? []);
    assert.equal(matrix.at(-1), major);
  });

  it('of images have three numbers, so that a file starts the same image every day', () => {
    const manifests = readdirSync(join(ROOT, 'k8s'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.yaml'))
      .map((path) => join('k8s', path));
    const images = ['Dockerfile', 'docker-compose.yml', ...manifests].flatMap(imagesIn);
    assert.ok(images.length >= 9);
    for (const image of images) assert.match(image, /:v?\d+\.\d+\.\d+/);
  });

  it('of actions are commits, each with its version in a comment', () => {
    const used = WORKFLOWS.flatMap((name) => [
      ...read(`.github/workflows/${name}`).matchAll(/uses: *(.*)$/gm),
    ])
      .map(([, action = '']) => action)
      .filter((action) => !action.startsWith('./'));
    assert.ok(used.length >= 10);
    for (const action of used) {
      assert.match(action, /^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });
});

describe('the workflows', () => {
  it('run no privileged container', () => {
    for (const { where, container = '' } of JOBS) {
      assert.ok(!JSON.stringify(container).includes('--privileged'), where);
    }
  });

  it('publish a release after its tests, from main, with an approval', () => {
    const { tag, image, publish } = jobsOf('release.yml');
    const commands = (tag?.steps ?? []).map(({ run = '' }) => run).join('\n');
    assert.ok(commands.includes('merge-base --is-ancestor "$GITHUB_SHA" origin/main'));
    assert.deepEqual(image?.needs, ['tag', 'checks', 'compose']);
    assert.equal(image.environment, 'release');
    assert.deepEqual(publish?.needs, ['tag', 'image']);
  });
});

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
  permissions?: Record<string, string>;
  steps?: { if?: string; run?: string; uses?: string }[];
  strategy?: { matrix: Record<string, unknown> };
}

const FOLDER = join(ROOT, '.github/workflows');
const jobsOf = (name: string) =>
  (parse(readFileSync(join(FOLDER, name), 'utf8')) as { jobs: Record<string, Job> }).jobs;
const all = readdirSync(FOLDER).flatMap((name) =>
  Object.entries(jobsOf(name)).map(([job, what]) => ({ name: `${name}: ${job}`, ...what })),
);
const runs = (job: Job) => (job.steps ?? []).flatMap(({ run = '' }) => (run ? [run] : []));
const needs = ({ needs: names = [] }: Job) => [names].flat();

describe('the workflows', () => {
  it('give no container more rights than it has by itself', () => {
    assert.deepEqual(
      all.filter(({ container }) => JSON.stringify(container ?? '').includes('--privileged')),
      [],
    );
  });

  it("use a container engine on the runner only: in a container its Docker is another machine's", () => {
    const onEngine = all.filter((job) => runs(job).some((run) => /engine|compose/.test(run)));
    assert.equal(onEngine.length, 4);
    for (const { name, container } of onEngine) assert.equal(container, undefined, name);
  });

  it('keep what explains a red run of .ci/run', () => {
    const tests = all.filter((job) => runs(job).some((run) => run.startsWith('.ci/run')));
    assert.ok(tests.length >= 7);
    const keeps = ({ steps = [] }: Job) =>
      steps.some((step) => step.if === 'failure()' && step.uses?.includes('upload-artifact'));
    const others = tests.filter((job) => !keeps(job)).map(({ name }) => name);
    assert.deepEqual(others, ['release.yml: compose']);
  });

  it('run every part of the night, each in one job, and tell of a red one', () => {
    const text = readFileSync(join(ROOT, 'test/nightly.ts'), 'utf8');
    const parts = [...text.matchAll(/ name: '([\w-]+)'/g)].map(([, name = '']) => name);
    const { tell, ...jobs } = jobsOf('nightly.yml');
    const named = Object.values(jobs).flatMap((job) => {
      const matrix = (job.strategy?.matrix['part'] ?? []) as string[];
      const one = runs(job).map((run) => /nightly ([\w-]+)/.exec(run)?.[1]);
      return [...matrix, ...one.filter((name) => name !== undefined)];
    });
    assert.deepEqual(named.sort(), parts.sort());
    assert.deepEqual(needs(tell!).sort(), Object.keys(jobs).sort());
    assert.deepEqual(tell?.permissions, { issues: 'write' });
  });

  it('publish a release after its tests, from main, with an approval', () => {
    const { tag, image, publish } = jobsOf('release.yml');
    assert.ok(runs(tag!).join().includes('merge-base --is-ancestor "$GITHUB_SHA" origin/main'));
    assert.deepEqual(needs(image!), ['tag', 'checks', 'compose']);
    assert.equal(image?.environment, 'release');
    assert.ok(needs(publish!).includes('image'));
  });
});

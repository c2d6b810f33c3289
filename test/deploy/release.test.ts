import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { SERVICE_VERSION as current } from '../../src/base/version.js';
import { ensureCommand } from '../support/packages.js';
import { steadyHour } from '../support/steady-hour.js';
import { ROOT } from './compose-file.js';

/** The files that a release reads or changes, or in which no old version may remain. */
const COPIED = [
  '.github',
  'CHANGELOG.md',
  'Dockerfile',
  'README.md',
  'docker-compose.yml',
  'docs',
  'k8s',
  'package-lock.json',
  'package.json',
  'src',
  'test/upgrade/releases.ts',
  'tools',
];
const RELEASES = 'test/upgrade/releases.ts';
const ENV = {
  ...process.env,
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b',
};

describe('npm run release on the files of this checkout', () => {
  let folder: string;
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', env: ENV }).trimEnd();
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  const [, announced] = /^This becomes ([\d.]+)\./m.exec(changelog) ?? [];
  const version = announced ?? '999.0.0';
  const tag = `v${version}`;

  const release = (wanted: string) => {
    const args = ['--import', import.meta.resolve('tsx'), 'tools/release/main.ts', wanted];
    return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: ENV });
  };

  before(steadyHour);
  before(() => {
    ensureCommand('git', 'git');
    folder = mkdtempSync(join(tmpdir(), 'weather-release-'));
    for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    const [, unreleased = ''] = /^## Unreleased\n([^]*?)^## /m.exec(changelog) ?? [];
    // The commit of a release has no entry yet.
    if (!unreleased.includes('\n- ')) {
      const withEntry = changelog.replace('## Unreleased\n', '## Unreleased\n\n- New.\n');
      writeFileSync(join(folder, 'CHANGELOG.md'), withEntry);
    }
    git('init', '--quiet', '--initial-branch', 'main');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Start');
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('rejects a version that is not later', () => {
    for (const wanted of ['999.0.0-rc.1', current, '0.9.9']) {
      const { status, stderr } = release(wanted);
      assert.equal(status, 1);
      assert.match(stderr, /is not a version after/);
    }
    assert.equal(git('status', '--porcelain'), '');
  });

  it('writes the version into every file that names it', () => {
    const { status, stdout, stderr } = release(version);
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
    assert.match(stdout, new RegExp(` git push --atomic REMOTE main ${tag}$`, 'm'));
    const lock = JSON.parse(read('package-lock.json')) as {
      version: string;
      packages: Record<string, { version: string }>;
    };
    assert.deepEqual([lock.version, lock.packages['']?.version], [version, version]);
    const deploy = read('docs/operations/deploy.md');
    assert.ok(deploy.includes(`docker build -t weather-lookup-service:${version} `));
    assert.ok(read('k8s/base/kustomization.yaml').includes(`newTag: ${version}\n`));
    const oldVersion =
      '(weather-lookup-service[:/@ ]|newTag: *|VERSION *= *.?|image[.]version=.?)' +
      current.replaceAll('.', '[.]');
    const found = spawnSync('git', ['grep', '-nE', oldVersion], { cwd: folder, encoding: 'utf8' });
    assert.deepEqual([found.status, found.stdout], [1, '']);
  });

  it('dates the section of the CHANGELOG and removes the announcement of the version', () => {
    const today = new Date().toISOString().slice(0, 10);
    assert.ok(read('CHANGELOG.md').includes(`## Unreleased\n\n## ${version} - ${today}\n\n`));
    assert.doesNotMatch(read('CHANGELOG.md'), /This becomes/);
    const entries = (text: string) => text.split('\n').filter((line) => line.startsWith('- '));
    assert.deepEqual(entries(read('CHANGELOG.md')), entries(git('show', `${tag}~1:CHANGELOG.md`)));
  });

  it('tags the commit of the release and records it among the releases that are tested', () => {
    const commit = git('rev-parse', tag);
    assert.equal(git('log', '-1', '--format=%s', commit), `Release ${version}`);
    assert.equal(git('rev-parse', 'HEAD~1'), commit);
    assert.equal(git('diff', '--name-only', 'HEAD~1'), RELEASES);
    const entry = `name: '${version}',\n    commit: '${commit}',\n    warnings: [],\n    anew: [],`;
    assert.ok(read(RELEASES).includes(entry));
    assert.ok(!read(RELEASES).includes(`'${current}'`));
    assert.equal(git('status', '--porcelain'), '');
  });
});

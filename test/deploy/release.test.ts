import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { ensureCommand } from '../support/packages.js';
import { ROOT } from './compose-file.js';

const VERSION = '999.0.1';
const RELEASES = 'test/upgrade/releases.ts';

describe('npm run release', () => {
  let folder: string;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trimEnd();
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const { version: current } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  const release = (version: string) => {
    const tsx = import.meta.resolve('tsx');
    const args = ['--import', tsx, 'tools/release/main.ts', version];
    const names = ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'a'],
      [`GIT_${who}_EMAIL`, 'a@b'],
    ]);
    const env = { ...process.env, ...(Object.fromEntries(names) as Record<string, string>) };
    const options = { cwd: folder, encoding: 'utf8', env } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
    return { status, stdout, stderr };
  };
  const refuses = (version: string, message: RegExp) => {
    const { status, stderr } = release(version);
    assert.equal(status, 1);
    assert.match(stderr, message);
    assert.equal((JSON.parse(read('package.json')) as { version: string }).version, current);
  };

  before(() => {
    ensureCommand('git', 'git');
    folder = mkdtempSync(join(tmpdir(), 'weather-release-'));
    const needed = [
      'package.json',
      'package-lock.json',
      'docker-compose.yml',
      'Dockerfile',
      'CHANGELOG.md',
    ];
    for (const path of [...needed, 'README.md', 'k8s', 'docs', 'src', 'tools']) {
      if (existsSync(join(ROOT, path)))
        cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    }
    writeFileSync(
      join(folder, 'CHANGELOG.md'),
      `# Changelog\n\n## Unreleased\n\n## ${current}\n\n- First.\n`,
    );
    cpSync(join(ROOT, RELEASES), join(folder, RELEASES), { recursive: true });
    git('init', '--quiet', '--initial-branch', 'main');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Start');
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('refuses a version that is not a later one', () => {
    for (const version of ['', 'v999.0.0', '999.0', '999.0.0-rc.1', current, '0.9.9']) {
      refuses(version, /is not a version after/);
    }
  });

  it('refuses a CHANGELOG with nothing under "Unreleased"', () => {
    refuses(VERSION, /nothing under "Unreleased"/);
  });

  it('refuses while the last release is not tested beside this one', () => {
    const before = read(RELEASES);
    writeFileSync(join(folder, RELEASES), before.replace(`'${current}'`, "'0.9.0'"));
    refuses(VERSION, /releases\.ts begins with 0\.9\.0, not with/);
    writeFileSync(join(folder, RELEASES), before);
  });

  it('refuses a tree with changes', () => {
    writeFileSync(
      join(folder, 'CHANGELOG.md'),
      read('CHANGELOG.md').replace('eased\n', 'eased\n\n- New.\n'),
    );
    refuses(VERSION, /not committed:\n M CHANGELOG\.md/);
    git('commit', '--quiet', '--all', '--message', 'Something new');
  });

  it('refuses another branch than main', () => {
    git('checkout', '--quiet', '-b', 'another');
    refuses(VERSION, /made on main, not on "another"/);
    git('checkout', '--quiet', 'main');
  });

  it('writes the version wherever it stands, and the date', () => {
    const { status: code, stdout: said, stderr } = release(VERSION);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.match(said, new RegExp(`^git push --atomic origin main v${VERSION}$`, 'm'));
    const today = new Date().toISOString().slice(0, 10);
    const [head] = read('CHANGELOG.md').split(`## ${current}\n`);
    assert.equal(head, `# Changelog\n\n## Unreleased\n\n## ${VERSION} - ${today}\n\n- New.\n\n`);
    const lock = JSON.parse(read('package-lock.json')) as {
      version: string;
      packages: { '': object };
    };
    assert.equal(lock.version, VERSION);
    assert.match(JSON.stringify(lock.packages['']), new RegExp(`"version":"${VERSION}"`));
    assert.match(read('docker-compose.yml'), new RegExp(`weather-lookup-service:${VERSION}}`));
    assert.match(read('k8s/base/kustomization.yaml'), new RegExp(`newTag: ${VERSION}$`, 'm'));
    // No file says the old one of this service, of its image, or of a tag.
    const before = '(weather-lookup-service[:/@ ]|newTag: *|VERSION *= *.?|image[.]version=.?)';
    const args = ['grep', '-nE', before + current.replaceAll('.', '[.]')];
    const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
    assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
  });

  it('tags the commit of the release, and the next one has it among those that are tested', () => {
    const commit = git('rev-parse', `v${VERSION}`);
    assert.equal(git('log', '-1', '--format=%s', commit), `Release ${VERSION}`);
    assert.equal(git('rev-parse', 'HEAD~1'), commit);
    assert.equal(git('diff', '--name-only', 'HEAD~1'), RELEASES);
    assert.ok(read(RELEASES).includes(`{ name: '${VERSION}', commit: '${commit}'`));
    assert.equal(git('status', '--porcelain'), '');
  });

  it('has notes on GitHub: the section of the changelog, and nothing else', () => {
    const { jobs } = parse(readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8')) as {
      jobs: { publish: { steps: { name?: string; run?: string }[] } };
    };
    const step = jobs.publish.steps.find(({ name = '' }) => name.startsWith('The section'));
    execFileSync('sh', ['-c', step?.run ?? ''], { cwd: folder, env: { ...process.env, VERSION } });
    assert.equal(read('notes.md').trim(), '- New.');
  });
});

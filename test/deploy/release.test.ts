import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ensureCommand } from '../support/packages.js';
import { ROOT } from './compose-file.js';

const VERSION = '999.0.1';

describe('npm run release', () => {
  let folder: string;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const { version: current } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  const release = (version: string) => {
    const tsx = import.meta.resolve('tsx');
    const args = ['--import', tsx, 'tools/release/main.ts', version];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    return { status, stderr };
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
    git('init', '--quiet');
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

  it('refuses a tree with changes', () => {
    writeFileSync(
      join(folder, 'CHANGELOG.md'),
      read('CHANGELOG.md').replace('eased\n', 'eased\n\n- New.\n'),
    );
    refuses(VERSION, /not committed:\n M CHANGELOG\.md/);
    git('commit', '--quiet', '--all', '--message', 'Something new');
  });

  it('writes the version wherever it stands, and the date', () => {
    assert.deepEqual(release(VERSION), { status: 0, stderr: '' });
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
});

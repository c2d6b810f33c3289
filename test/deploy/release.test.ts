import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { ensureCommand } from '../support/packages.js';
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
const REPOSITORY = 'weather-lookup-service/weather-lookup-service';
const LINKED = `https://github.com/${REPOSITORY}/blob`;

interface Step {
  id?: string;
  run?: string;
  with?: { tags?: string };
}

describe('npm run release on the files of this checkout', () => {
  let folder: string;
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const write = (path: string, text: string) => {
    writeFileSync(join(folder, path), text);
  };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trimEnd();
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  const { version: current } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  const [, announced] = /^This becomes ([\d.]+)\./m.exec(changelog) ?? [];
  const version = announced ?? '999.0.0';
  const tag = `v${version}`;

  const release = (wanted: string) => {
    const env = {
      ...process.env,
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@b',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@b',
    };
    const args = ['--import', import.meta.resolve('tsx'), 'tools/release/main.ts', wanted];
    return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env });
  };
  const assertRejected = (wanted: string, message: RegExp) => {
    const { status, stderr } = release(wanted);
    assert.equal(status, 1);
    assert.match(stderr, message);
    assert.equal((JSON.parse(read('package.json')) as { version: string }).version, current);
  };

  const { jobs } = parse(readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8')) as {
    jobs: Record<string, { steps: Step[] }>;
  };
  const stepOf = (job: string, id: string): Step => {
    const found = jobs[job]?.steps.find((step) => step.id === id);
    assert.ok(found, `${job} has no step ${id}`);
    return found;
  };
  /** Runs a step of the release workflow at the tag, as GitHub does. */
  const runStep = (job: string, id: string, env: Record<string, string>) => {
    execFileSync('bash', ['-eo', 'pipefail', '-c', stepOf(job, id).run ?? ''], {
      cwd: folder,
      env: { ...process.env, ...env },
    });
  };

  before(() => {
    ensureCommand('git', 'git');
    folder = mkdtempSync(join(tmpdir(), 'weather-release-'));
    for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    const [, unreleased = ''] = /^## Unreleased\n([^]*?)^## /m.exec(changelog) ?? [];
    // The commit of a release has no entry yet.
    if (!unreleased.includes('\n- ')) {
      write('CHANGELOG.md', changelog.replace('## Unreleased\n', '## Unreleased\n\n- New.\n'));
    }
    git('init', '--quiet', '--initial-branch', 'main');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Start');
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('rejects a version that is not later', () => {
    for (const wanted of ['', 'v999.0.0', '999.0', '999.0.0-rc.1', current, '0.9.9']) {
      assertRejected(wanted, /is not a version after/);
    }
  });

  it('rejects a CHANGELOG that has no entry, or announces another version', () => {
    const before = read('CHANGELOG.md');
    const older = before.slice(before.indexOf('\n## ', before.indexOf('## Unreleased') + 1));
    write('CHANGELOG.md', `# Changelog\n\n## Unreleased\n${older}`);
    assertRejected(version, /nothing under "Unreleased"/);
    const another = '## Unreleased\n\nThis becomes 998.0.0.\n\n- New.\n';
    write('CHANGELOG.md', `# Changelog\n\n${another}${older}`);
    assertRejected(version, /this becomes 998\.0\.0, not/);
    write('CHANGELOG.md', before);
  });

  it('rejects a list of releases that does not begin with the current version', () => {
    const before = read(RELEASES);
    write(RELEASES, before.replace(`'${current}'`, "'0.9.0'"));
    assertRejected(version, /releases\.ts begins with 0\.9\.0, not with/);
    write(RELEASES, before);
  });

  it('rejects a working tree with changes', () => {
    write('README.md', `${read('README.md')}\n`);
    assertRejected(version, /not committed:\n M README\.md/);
    git('checkout', '--quiet', 'README.md');
  });

  it('rejects a branch other than main', () => {
    git('checkout', '--quiet', '-b', 'another');
    assertRejected(version, /made on main, not on "another"/);
    git('checkout', '--quiet', 'main');
  });

  it('writes the version into every file that names it', () => {
    const { status, stdout, stderr } = release(version);
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
    assert.match(stdout, new RegExp(`^git push --atomic origin main ${tag}$`, 'm'));
    const lock = JSON.parse(read('package-lock.json')) as {
      version: string;
      packages: Record<string, { version: string }>;
    };
    assert.deepEqual([lock.version, lock.packages['']?.version], [version, version]);
    for (const path of ['docker-compose.yml', 'docs/operations/deploy.md']) {
      assert.ok(read(path).includes(`weather-lookup-service:${version}`), path);
    }
    assert.ok(read('k8s/base/kustomization.yaml').includes(`newTag: ${version}\n`));
    const production = 'k8s/overlays/production/kustomization.yaml';
    assert.ok(read(production).includes(`//k8s/base?ref=${tag}\n`));
    const oldVersion =
      '(weather-lookup-service[:/@ ]|newTag: *|ref=v|VERSION *= *.?|image[.]version=.?)' +
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

  it('gives the image its version, the two shorter versions and latest', () => {
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    const env = {
      GITHUB_REF_NAME: tag,
      GITHUB_SHA: git('rev-parse', tag),
      GITHUB_OUTPUT: join(folder, 'outputs'),
    };
    runStep('tag', 'commit', env);
    const outputs = new Map(
      read('outputs')
        .trimEnd()
        .split('\n')
        .map((line) => line.split('=') as [string, string]),
    );
    const tags = stepOf('image', 'build').with?.tags ?? '';
    const named = tags
      .replaceAll('${{ env.IMAGE }}', 'image')
      .replaceAll(/\$\{\{ needs\.tag\.outputs\.(\w+) \}\}/g, (_, name: string) =>
        String(outputs.get(name)),
      );
    const [major, minor] = version.split('.');
    const expected = [version, `${major}.${minor}`, major, 'latest'];
    assert.deepEqual(
      named.trimEnd().split('\n'),
      expected.map((each) => `image:${each}`),
    );
    const another = { ...env, GITHUB_REF_NAME: 'v998.0.0' };
    assert.throws(() => {
      runStep('tag', 'commit', another);
    });
  });

  it('has release notes: the section of the changelog, with absolute links and one line for each entry', () => {
    runStep('publish', 'notes', {
      VERSION: version,
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: REPOSITORY,
    });
    const notes = read('notes.md');
    const [, section = ''] = read('CHANGELOG.md')
      .split(/^(?=## )/m)
      .slice(1);
    const withoutTargets = (text: string) =>
      text
        .replaceAll(/\]\([^)]+\)/g, '](…)')
        .replaceAll(/\s+/g, ' ')
        .trim();
    assert.equal(withoutTargets(notes), withoutTargets(section.replace(/^## .*\n/, '')));
    assert.doesNotMatch(notes, /^ {2}\S/m);
    const targets = (text: string) => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, to = '']) => to);
    for (const [index, target] of targets(notes).entries()) {
      assert.match(target, /^https:\/\//);
      const original = targets(section)[index] ?? '';
      if (!original.includes(':')) assert.equal(target, `${LINKED}/${tag}/${original}`);
    }
  });
});

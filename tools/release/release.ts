import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The lines with the version. Each pattern has three groups: before, the version, after. */
const LINES: [path: string, pattern: RegExp][] = [
  ['package.json', /(^ {2}"version": ")([^"]+)(")/m],
  // The version of the lock file, then that of the root package, which is the first in the file.
  ['package-lock.json', /(^ {2}"version": ")([^"]+)(")/m],
  ['package-lock.json', /(^ {6}"version": ")([^"]+)(")/m],
  ['k8s/base/kustomization.yaml', /(newTag: )(\S+)()$/m],
];
/** The document whose commands name the version of the image. */
const DEPLOY = 'docs/operations/deploy.md';
/** The list of releases; the tests run every change beside the last one. */
const RELEASES = 'test/upgrade/releases.ts';
const LAST_RELEASE =
  /(?<=\n)( *)name: '([\d.]+)',\s+commit: '[0-9a-f]{40}',\s+warnings: \[[^\]]*\],\s+anew: \[[^\]]*\],/;
const UNRELEASED = /^## Unreleased\n([^]*?)(?=^## |$(?![^]))/m;
/** The sentence by which the section "Unreleased" announces its version. */
const ANNOUNCEMENT = /^This becomes (\S+?)\.(?: |\n+|$)/m;

/**
 * Makes a release in two commits on `main`. The first writes the version into every file that names
 * it, dates the section "Unreleased" of the CHANGELOG, and gets the tag. The second records the
 * commit of the release in `test/upgrade/releases.ts`, so that every change is tested beside it.
 * Pushes nothing.
 * @param root the folder of the repository
 * @param version for example `2.0.0`
 * @param date as `YYYY-MM-DD`
 * @returns the commit of the release
 * @throws if the version is not later than the current one or differs from the one that the
 *   CHANGELOG announces, if the branch is not `main`, if the working tree has changes, if the
 *   section "Unreleased" has no entry, or if a file does not contain the current version where it
 *   is expected. Nothing is written in these cases
 */
export function release(root: string, version: string, date: string): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trimEnd();
  const texts = releasedFiles(root, version, date);
  const branch = git('branch', '--show-current');
  if (branch !== 'main') throw new Error(`a release is made on main, not on "${branch}"`);
  const changes = git('status', '--porcelain');
  if (changes !== '') throw new Error(`the tree has changes that are not committed:\n${changes}`);

  for (const [path, text] of texts) writeFileSync(join(root, path), text);
  git('commit', '--quiet', '--all', '--message', `Release ${version}`);
  const commit = git('rev-parse', 'HEAD');
  git('tag', `v${version}`);

  const releases = join(root, RELEASES);
  const before = readFileSync(releases, 'utf8');
  const entry = (_: string, indent: string) =>
    [`name: '${version}',`, `commit: '${commit}',`, 'warnings: [],', 'anew: [],']
      .map((line) => indent + line)
      .join('\n');
  writeFileSync(releases, before.replace(LAST_RELEASE, entry));
  const why = `Every change is tested beside ${version} from now on`;
  git('commit', '--quiet', '--all', '--message', why);
  return commit;
}

/** The changed files of the first commit, by their paths. */
function releasedFiles(root: string, version: string, date: string): Map<string, string> {
  const texts = new Map<string, string>();
  const read = (path: string) => texts.get(path) ?? readFileSync(join(root, path), 'utf8');
  const { version: current } = JSON.parse(read('package.json')) as { version: string };
  if (!isLater(version, current)) {
    throw new Error(`"${version}" is not a version after ${current}: give three numbers`);
  }
  const [, , last = 'no release'] = LAST_RELEASE.exec(read(RELEASES)) ?? [];
  if (last !== current) throw new Error(`${RELEASES} begins with ${last}, not with ${current}`);

  texts.set('CHANGELOG.md', datedChangelog(read('CHANGELOG.md'), version, date));

  for (const [path, pattern] of LINES) {
    const text = read(path);
    const [, , found] = pattern.exec(text) ?? [];
    if (found !== current) throw new Error(`${path} has ${found ?? 'no version'}, not ${current}`);
    texts.set(
      path,
      text.replace(pattern, (_, before, __, after) => `${before}${version}${after}`),
    );
  }
  texts.set(DEPLOY, read(DEPLOY).replaceAll(current, version));
  return texts;
}

/**
 * The CHANGELOG with a dated section in the place of "Unreleased", without the sentence that
 * announces the version.
 * @throws if "Unreleased" has no entry, or announces another version
 */
function datedChangelog(log: string, version: string, date: string): string {
  const [section = '', entries = ''] = UNRELEASED.exec(log) ?? [];
  if (!/^- /m.test(entries)) throw new Error('CHANGELOG.md has nothing under "Unreleased"');
  const [, announced = version] = ANNOUNCEMENT.exec(entries) ?? [];
  if (announced !== version) {
    throw new Error(`CHANGELOG.md says that this becomes ${announced}, not ${version}`);
  }
  const heading = `## Unreleased\n\n## ${version} - ${date}\n`;
  return log.replace(section, () => heading + entries.replace(ANNOUNCEMENT, ''));
}

/** Whether a version of three numbers comes after another. */
function isLater(version: string, current: string): boolean {
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version)) return false;
  return version.localeCompare(current, 'en', { numeric: true }) > 0;
}

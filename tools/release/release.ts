import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the version stands: the pattern has what comes before it, the version, and what comes after. */
const PLACES: [path: string, pattern: RegExp][] = [
  ['package.json', /(^ {2}"version": ")([^"]+)(")/m],
  // Of the whole, and of the package at the root, which is the first.
  ['package-lock.json', /(^ {2}"version": ")([^"]+)(")/m],
  ['package-lock.json', /(^ {6}"version": ")([^"]+)(")/m],
  ['docker-compose.yml', /(weather-lookup-service:)([\d.]+)(\})/],
  ['k8s/base/kustomization.yaml', /(newTag: )(\S+)()$/m],
  ['k8s/overlays/production/kustomization.yaml', /(newTag: )(\S+)()$/m],
];
/** Commands in docs/operations/ name the image of the version. */
const HANDBOOK = 'docs/operations';
/** The last release, which every change is tested beside. */
const RELEASES = 'test/upgrade/releases.ts';
const LAST_RELEASE = /(\{ name: ')([\d.]+)(', commit: ')([0-9a-f]{40})(')/;
const UNRELEASED = /^## Unreleased\n([^]*?)(?=^## |$(?![^]))/m;

/**
 * Makes a release in two commits on `main`. The first has the version in every file that names it, and the date
 * of the section "Unreleased" in the CHANGELOG: it gets the tag. The second puts the first among the releases
 * that every change is tested beside. Nothing is pushed.
 * @param root the folder of the repository
 * @param version for example `2.0.0`
 * @param date as `YYYY-MM-DD`
 * @returns the commit of the release
 * @throws if the version is not a later one, if this is not `main`, if the tree has changes, if nothing is under
 *   "Unreleased", or if a file does not have the version where it should; then nothing was written
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
  writeFileSync(releases, before.replace(LAST_RELEASE, `$1${version}$3${commit}$5`));
  const why = `Every change is tested beside ${version} from now on`;
  git('commit', '--quiet', '--all', '--message', why);
  return commit;
}

/** The files of the first commit, by their paths. */
function releasedFiles(root: string, version: string, date: string): Map<string, string> {
  const read = (path: string) => texts.get(path) ?? readFileSync(join(root, path), 'utf8');
  const texts = new Map<string, string>();
  const { version: current } = JSON.parse(read('package.json')) as { version: string };
  if (!isLater(version, current)) {
    throw new Error(`"${version}" is not a version after ${current}: give three numbers`);
  }
  const [, , last = 'no release'] = LAST_RELEASE.exec(read(RELEASES)) ?? [];
  if (last !== current) throw new Error(`${RELEASES} begins with ${last}, not with ${current}`);

  const log = read('CHANGELOG.md');
  const [section = '', entries = ''] = UNRELEASED.exec(log) ?? [];
  if (!/^- /m.test(entries)) throw new Error('CHANGELOG.md has nothing under "Unreleased"');
  const dated = section.replace('## Unreleased\n', `## Unreleased\n\n## ${version} - ${date}\n`);
  texts.set(
    'CHANGELOG.md',
    log.replace(section, () => dated),
  );

  for (const [path, pattern] of PLACES) {
    const text = read(path);
    const [, , found] = pattern.exec(text) ?? [];
    if (found !== current) throw new Error(`${path} has ${found ?? 'no version'}, not ${current}`);
    texts.set(
      path,
      text.replace(pattern, (_, before, __, after) => `${before}${version}${after}`),
    );
  }
  for (const name of readdirSync(join(root, HANDBOOK))) {
    const path = join(HANDBOOK, name);
    const image = `weather-lookup-service:${current}`;
    const text = read(path);
    if (!text.includes(image)) continue;
    texts.set(path, text.replaceAll(image, `weather-lookup-service:${version}`));
  }
  return texts;
}

/** Whether a version of three numbers comes after another. */
function isLater(version: string, current: string): boolean {
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version)) return false;
  return version.localeCompare(current, 'en', { numeric: true }) > 0;
}

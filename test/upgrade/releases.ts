import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A version that the working tree must work beside. */
export interface Release {
  name: string;
  commit: string;
  /** The warnings that it also writes where no other version runs. */
  warnings: string[];
  /** What starts empty in this version: its format has another number. */
  anew: ('sessions' | 'windows' | 'fetches')[];
}

/** The last release first: `npm run release` puts the next one into its place. */
const ALL: Release[] = [
  {
    name: '2.1.0',
    commit: 'aa42f6120c59ec9a295b0dc95b1b62e935e338f7',
    warnings: [],
    anew: ['fetches', 'sessions'],
  },
];

/** All of them; where UPGRADE_FROM is `last`, the last one. */
export const RELEASES = process.env['UPGRADE_FROM'] === 'last' ? ALL.slice(0, 1) : ALL;

const ROOT = join(import.meta.dirname, '../..');
const BUILT = join(ROOT, '.cache/releases');

const folderOf = ({ commit }: Release) => join(BUILT, commit.slice(0, 12));

/**
 * The folder with the entry points of a release.
 * @throws when it was not built
 */
export function distOf(release: Release): string {
  const dist = join(folderOf(release), 'dist');
  if (existsSync(dist)) return dist;
  throw new Error(`${release.name} is not built: npm run test:upgrade builds it`);
}

/**
 * Builds a release from its commit, with its own packages and its own build, unless it is there.
 * @throws when the commit is not in this checkout, or its build fails
 */
export function buildRelease(release: Release): void {
  const { name, commit } = release;
  const folder = folderOf(release);
  if (existsSync(folder)) return;
  // A container may run as another user than the owner of the checkout.
  const git = ['-c', 'safe.directory=*', '-C', ROOT];
  try {
    execFileSync('git', [...git, 'cat-file', '-e', `${commit}^{commit}`], { stdio: 'pipe' });
  } catch (cause) {
    throw new Error(
      `The commit of ${name}, ${commit}, is not in this checkout. It needs the history: clone the ` +
        'repository, or fetch what is missing by `git fetch --unshallow`.',
      { cause },
    );
  }
  console.log(`building ${name} from ${commit}`);
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    const archive = join(unfinished, 'release.tar');
    execFileSync('git', [...git, 'archive', '--output', archive, commit]);
    const run = (command: string, ...args: string[]) => {
      execFileSync(command, args, { cwd: unfinished, stdio: ['ignore', 'ignore', 'inherit'] });
    };
    run('tar', '-xf', archive);
    rmSync(archive);
    run('npm', 'ci', '--prefer-offline');
    run('npm', 'run', 'build');
    run('npm', 'prune', '--omit=dev');
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

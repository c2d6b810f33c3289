import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A version that the working tree must work beside. */
export interface Release {
  name: string;
  commit: string;
  /** The warnings that it also writes where no other version runs. */
  warnings: string[];
  /** What has begun anew since: its form has another number. Sessions are carried over all the same. */
  anew: ('sessions' | 'windows' | 'fetches')[];
}

/** Both kept everything under names without a number. Replicas wait 2 s for a worker that has left. */
const BEFORE_2: Pick<Release, 'warnings' | 'anew'> = {
  warnings: ['worker_stalled'],
  anew: ['sessions', 'windows', 'fetches'],
};

/** The last release first. A new release takes its place: `{ warnings: [], anew: [] }` from 2.0.0 on. */
const ALL: Release[] = [
  { name: '1.0.0', commit: 'e9cfceee67b0daa78b10658e1a06b5c1607af97e', ...BEFORE_2 },
  // The state before 2.0.0 changed what is kept in Redis: to be deleted after 2.0.0.
  { name: 'before 2.0.0', commit: '588dbd64aecd1ccc820780ac9227c457622d7d64', ...BEFORE_2 },
];

/** All of them, or the one that UPGRADE_FROM names. */
export const RELEASES = ALL.filter(({ name }) => name === (process.env['UPGRADE_FROM'] ?? name));

if (RELEASES.length === 0) throw new Error('UPGRADE_FROM names no release');

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

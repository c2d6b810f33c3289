import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';

/** A released version. The working tree must work on one Redis with it. */
export interface Release {
  name: string;
  commit: string;
  /** Events that it logs as warnings even if no other version runs. */
  warnings: string[];
  /** Data that the working tree stores in another format, and does not read from the release. */
  anew: ('sessions' | 'windows' | 'fetches')[];
}

/** Newest first. `npm run release` replaces the first one. */
const ALL: Release[] = [
  {
    name: '4.0.0',
    commit: 'c23819c78dcccaacb93e31bababed2bc54730756',
    warnings: [],
    anew: [],
  },
  {
    name: '3.2.0',
    commit: '0df6990343ceb7a72c11b226b24b8711aacdec4f',
    warnings: [],
    anew: ['fetches'],
  },
];

/** If UPGRADE_FROM is `last`, only the newest release. */
export const RELEASES = process.env['UPGRADE_FROM'] === 'last' ? ALL.slice(0, 1) : ALL;

const ROOT = join(import.meta.dirname, '../..');
const CACHE = '.cache';
const BUILT = join(ROOT, CACHE, 'releases');

const folderOf = (commit: string) => join(BUILT, commit.slice(0, 12));

/**
 * The folder with the entry points of a release.
 * @throws if the release is not built
 */
export function distOf({ name, commit }: Release): string {
  const dist = join(folderOf(commit), 'dist');
  if (existsSync(dist)) return dist;
  throw new Error(`${name} is not built: npm run test:upgrade builds it`);
}

/**
 * Builds a commit with its own packages and build script. `.cache/releases` caches it.
 * @param name a commit, tag, or branch
 * @returns the folder of the checkout, whose `dist` has the entry points
 * @throws if the commit is not in this repository, or its build fails
 */
export function buildCommit(name: string): string {
  // In a container, the checkout may belong to another user.
  const git = ['-c', 'safe.directory=*', '-C', ROOT];
  let commit: string;
  try {
    const options = { encoding: 'utf8', stdio: 'pipe' } as const;
    commit = execFileSync('git', [...git, 'rev-parse', '--verify', `${name}^{commit}`], options);
  } catch (cause) {
    throw new Error(
      `The commit ${name} is not in this repository. Fetch the history: \`git fetch --unshallow\`.`,
      { cause },
    );
  }
  const folder = folderOf(commit);
  if (existsSync(folder)) return folder;
  console.error(`building ${name}`);
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    const archive = join(unfinished, 'commit.tar');
    execFileSync('git', [...git, 'archive', '--output', archive, commit.trim()]);
    const run = (command: string, ...args: string[]) => {
      execFileSync(command, args, { cwd: unfinished, stdio: ['ignore', 'ignore', 'inherit'] });
    };
    run('tar', '-xf', archive);
    rmSync(archive);
    copyGazetteers(unfinished);
    if (locksSamePackages(unfinished)) {
      const packages = { recursive: true, verbatimSymlinks: true };
      cpSync(join(ROOT, 'node_modules'), join(unfinished, 'node_modules'), packages);
    } else {
      run('npm', 'ci', '--prefer-offline');
    }
    run('npm', 'run', 'build');
    run('npm', 'prune', '--omit=dev');
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}

/** Whether a commit has this checkout's packages: a copy takes a tenth of an installation's CPU. */
function locksSamePackages(folder: string): boolean {
  const [its, ours] = [folder, ROOT].map((root) =>
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  );
  return its === ours;
}

/** Copies the cached gazetteers. A build uses one only if its name has the hash of its sources. */
function copyGazetteers(folder: string): void {
  mkdirSync(join(folder, CACHE));
  for (const name of readdirSync(join(ROOT, CACHE))) {
    if (!/^gazetteer-.*\.bin$/.test(name)) continue;
    copyFileSync(join(ROOT, CACHE, name), join(folder, CACHE, name));
  }
}

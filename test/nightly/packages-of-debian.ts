import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Runs a command. @returns its output */
export function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The Debian mirror of this machine. */
export function mirror(): string {
  const [found] = run('apt-get', 'indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages')
    .split('\n')
    .filter((uri) => uri !== '' && !uri.includes('security'));
  if (found === undefined) throw new Error('apt knows no mirror of Debian');
  return found;
}

/**
 * Unpacks packages of another release of Debian into a folder. Installs nothing, and does not unpack
 * dependencies.
 * @throws if apt cannot download them
 */
export function unpackPackages(release: string, packages: string[], root: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'weather-debian-'));
  const [lists, archives] = ['lists', 'archives'].map((part) => join(folder, part));
  try {
    for (const path of [root, join(lists!, 'partial'), join(archives!, 'partial')]) {
      mkdirSync(path, { recursive: true });
    }
    const sources = `deb [signed-by=${KEYS}] ${mirror()} ${release} main\n`;
    writeFileSync(join(folder, 'sources'), sources);
    // No package counts as installed, so apt downloads all that are named.
    writeFileSync(join(folder, 'status'), '');
    const options = Object.entries({
      'Dir::Etc::SourceList': join(folder, 'sources'),
      'Dir::Etc::SourceParts': '/dev/null',
      'Dir::State::Lists': lists!,
      'Dir::State::status': join(folder, 'status'),
      'Dir::Cache::archives': archives!,
      // The user of apt has no access to this folder.
      'APT::Sandbox::User': 'root',
    }).flatMap(([option, value]) => ['-o', `${option}=${value}`]);
    const apt = (...args: string[]) => run('apt-get', ...options, '-q', ...args);
    apt('update');
    apt('-y', '--download-only', '--no-install-recommends', 'install', ...packages);
    for (const file of readdirSync(archives!)) {
      if (packages.some((wanted) => file.startsWith(`${wanted}_`))) {
        run('dpkg-deb', '-x', join(archives!, file), root);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

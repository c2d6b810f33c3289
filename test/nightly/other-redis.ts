import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * `tsx test/nightly/other-redis.ts redis|valkey`: prints a folder for PATH whose `redis-server` is
 * Debian 13's Redis or Valkey. Unpacks the packages with their libraries into `.cache/servers`, and
 * installs nothing.
 */

const RELEASE = 'trixie';
const KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg';
const LIBRARIES = (
  'libc6 libssl3t64 libsystemd0 libjemalloc2 liblzf1 libatomic1 libstdc++6 libgcc-s1 libcap2 ' +
  'zlib1g libzstd1'
).split(' ');

const name = process.argv[2];
if (name !== 'redis' && name !== 'valkey') throw new Error('which server: redis or valkey?');
const folder = join(import.meta.dirname, '../../.cache/servers', name);
if (!existsSync(folder)) unpack(name);
console.log(folder);

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The Debian mirror of this machine. */
function mirror(): string {
  const found = run('apt-get', 'indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages')
    .split('\n')
    .find((uri) => uri !== '' && !uri.includes('security'));
  if (found === undefined) throw new Error('apt knows no mirror of Debian');
  return found;
}

/** @throws if apt cannot download the packages */
function unpack(server: string): void {
  const made = `${folder}.${process.pid}`;
  const at = (path: string) => join(made, path);
  for (const path of ['root', 'lists/partial', 'archives/partial']) {
    mkdirSync(at(path), { recursive: true });
  }
  writeFileSync(at('sources'), `deb [signed-by=${KEYS}] ${mirror()} ${RELEASE} main\n`);
  // No package counts as installed, so apt downloads all that are named.
  writeFileSync(at('status'), '');
  const options = Object.entries({
    'Dir::Etc::SourceList': at('sources'),
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State::Lists': at('lists'),
    'Dir::State::status': at('status'),
    'Dir::Cache::archives': at('archives'),
    // The user of apt has no access to this folder.
    'APT::Sandbox::User': 'root',
  }).flatMap(([option, value]) => ['-o', `${option}=${value}`]);
  const packages = [...LIBRARIES, `${server}-server`, `${server}-tools`];
  run('apt-get', ...options, '-q', 'update');
  const download = ['-y', '--download-only', '--no-install-recommends', 'install'];
  run('apt-get', ...options, '-q', ...download, ...packages);
  for (const file of readdirSync(at('archives'))) {
    if (packages.some((wanted) => file.startsWith(`${wanted}_`))) {
      run('dpkg-deb', '-x', at(`archives/${file}`), at('root'));
    }
  }
  for (const path of ['lists', 'archives', 'sources', 'status']) {
    rmSync(at(path), { recursive: true });
  }
  writeFileSync(
    at('redis-server'),
    `#!/bin/sh
root=${JSON.stringify(join(folder, 'root'))}
exec "$root"/usr/lib64/ld-linux-*.so.* --library-path "$(echo "$root"/usr/lib/*-linux-gnu)" \\
  "$root/usr/bin/${server}-server" "$@"
`,
  );
  chmodSync(at('redis-server'), 0o755);
  renameSync(made, folder);
}

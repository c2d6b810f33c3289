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
 * `tsx test/nightly/other-redis.ts redis|valkey`: the server that Debian 13 has, beside that of this
 * machine. Prints a folder whose `redis-server` starts it: put the folder first into PATH. The packages
 * are unpacked into `.cache/servers`, with the libraries that they need, and nothing is installed.
 */

const RELEASE = 'trixie';
const LIBRARIES = (
  'libc6 libssl3t64 libsystemd0 libjemalloc2 liblzf1 libatomic1 libstdc++6 libgcc-s1 libcap2 ' +
  'zlib1g libzstd1'
).split(' ');

const name = process.argv[2];
if (name !== 'redis' && name !== 'valkey') throw new Error('which server: redis or valkey?');
const cache = join(import.meta.dirname, '../../.cache/servers');
const folder = join(cache, name);
if (!existsSync(folder)) unpack(name);
console.log(folder);

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function unpack(server: string): void {
  const made = `${folder}.${process.pid}`;
  const [root, lists, archives] = ['root', 'lists', 'archives'].map((part) => join(made, part));
  for (const path of [root, join(lists!, 'partial'), join(archives!, 'partial')]) {
    mkdirSync(path!, { recursive: true });
  }
  // From the mirror that the machine uses already.
  const [mirror] = run('apt-get', 'indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages')
    .split('\n')
    .filter((uri) => !uri.includes('security'));
  const keys = '/usr/share/keyrings/debian-archive-keyring.gpg';
  writeFileSync(join(made, 'sources'), `deb [signed-by=${keys}] ${mirror} ${RELEASE} main\n`);
  writeFileSync(join(made, 'status'), '');
  const options = Object.entries({
    'Dir::Etc::SourceList': join(made, 'sources'),
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State::Lists': lists!,
    'Dir::State::status': join(made, 'status'),
    'Dir::Cache::archives': archives!,
    // The user of apt may not enter this folder.
    'APT::Sandbox::User': 'root',
  }).flatMap(([option, value]) => ['-o', `${option}=${value}`]);
  const packages = [...LIBRARIES, `${server}-server`, `${server}-tools`];
  run('apt-get', ...options, '-q', 'update');
  run(
    'apt-get',
    ...options,
    '-qy',
    '--download-only',
    '--no-install-recommends',
    'install',
    ...packages,
  );
  for (const file of readdirSync(archives!)) {
    if (packages.some((wanted) => file.startsWith(`${wanted}_`))) {
      run('dpkg-deb', '-x', join(archives!, file), root!);
    }
  }
  const start = join(made, 'redis-server');
  writeFileSync(
    start,
    `#!/bin/sh
root=${JSON.stringify(join(folder, 'root'))}
exec "$root"/usr/lib64/ld-linux-*.so.* --library-path "$(echo "$root"/usr/lib/*-linux-gnu)" \\
  "$root/usr/bin/${server}-server" "$@"
`,
  );
  chmodSync(start, 0o755);
  for (const path of [lists!, archives!]) rmSync(path, { recursive: true });
  renameSync(made, folder);
}

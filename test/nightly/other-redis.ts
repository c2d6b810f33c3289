import { chmodSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackPackages } from '../debian-engine/packages-of-debian.js';

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

function unpack(server: string): void {
  const made = `${folder}.${process.pid}`;
  const packages = [...LIBRARIES, `${server}-server`, `${server}-tools`];
  unpackPackages(RELEASE, packages, join(made, 'root'));
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
  renameSync(made, folder);
}

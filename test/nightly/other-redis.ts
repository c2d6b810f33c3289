import { chmodSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackPackages } from './packages-of-debian.js';

/**
 * `tsx test/nightly/other-redis.ts redis|valkey`: prints a folder for PATH whose `redis-server` is the Redis or Valkey
 * of Debian 13. Unpacks the packages with their libraries into `.cache/servers`, and installs nothing.
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
